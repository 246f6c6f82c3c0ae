// Permutation of dimensions: dimension d of out is dimension p[d] of in: out(i0, i1, …) = in(x) with x[p[d]] = i[d].
//
//   in, out      type, as many dimensions as the permutation has digits, at most 6
//   permutation  digits p[0]p[1]p[2]…, innermost first; "1023" swaps the two innermost of four
// Exact. Source: TFLite TRANSPOSE, ONNX Transpose (both count dimensions from the outermost).
//
// Schedule: tiles of tile_0 x tile_1 in the output's two innermost dimensions, and tile_in of the dimension that is innermost
// in the input, so that loads and stores both move runs of elements.
#include "generators/tile.h"
#include "runtime/diag/diag.h"

#include <algorithm>

namespace emulsion::generators {

class Transpose : public emulsion::Generator<Transpose> {
public:
    static constexpr const char *says = "Permutation of a tensor's dimensions.";

    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<std::string> permutation{"permutation", "1023"};
    GeneratorParam<int> tile_0{"tile_0", 64};
    GeneratorParam<int> tile_1{"tile_1", 8};
    GeneratorParam<int> tile_in{"tile_in", 64};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        const std::string digits = permutation, all = std::string("012345").substr(0, digits.size());
        if (digits.empty() || !std::is_permutation(digits.begin(), digits.end(), all.begin(), all.end()))
            raise(Diag::permutation_invalid, {}, digits);
        in.set_type(type);
        in.set_dimensions(rank());
        out.set_type(type);
        out.set_dimensions(rank());
    }

    void generate() {
        std::vector<Expr> source(rank());
        for (int d = 0; d < rank(); d++) source[from(d)] = index_[d];
        out(std::vector<Var>(index_, index_ + rank())) = Func(in)(source);
    }

    void npu_schedule() {
        std::vector<int> sizes(rank(), 1);
        for (int d = 0; d < rank(); d++)
            if (from(d) == 0) sizes[d] = tile_in;
        if (rank() > 1) sizes[1] = std::max(sizes[1], int(tile_1));
        sizes[0] = tile_0;
        stage_tile(in, out, tile_output(out, sizes, depth), depth);
    }

private:
    const Var index_[6] = {Var("i"), Var("j"), Var("k"), Var("l"), Var("m"), Var("n")};

    int rank() const { return static_cast<int>(permutation.value().size()); }
    int from(int d) const { return permutation.value().at(d) - '0'; }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Transpose, transpose)
