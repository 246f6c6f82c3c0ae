// Permutation of dimensions: dimension d of out is dimension p[d] of in: out(i0, i1, i2, i3) = in(x) with x[p[d]] = i[d].
//
//   in, out      type, 4 dimensions (extents of 1 where there are fewer)
//   permutation  four digits p[0]p[1]p[2]p[3], innermost first; "1023" swaps the two innermost
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
        in.set_type(type);
        in.set_dimensions(rank);
        out.set_type(type);
        out.set_dimensions(rank);
    }

    void generate() {
        const std::string digits = permutation, all = "0123";
        if (!std::is_permutation(digits.begin(), digits.end(), all.begin(), all.end()))
            raise(Diag::permutation_invalid, {}, digits);
        std::vector<Expr> source(rank);
        for (int d = 0; d < rank; d++) source[from(d)] = index_[d];
        out(index_[0], index_[1], index_[2], index_[3]) = Func(in)(source);
    }

    void npu_schedule() {
        std::vector<int> sizes(rank, 1);
        for (int d = 0; d < rank; d++)
            if (from(d) == 0) sizes[d] = tile_in;
        sizes[1] = std::max(sizes[1], int(tile_1));
        sizes[0] = tile_0;
        stage_tile(in, out, tile_output(out, sizes, depth), depth);
    }

private:
    static constexpr int rank = 4;
    const Var index_[rank] = {Var("i"), Var("j"), Var("k"), Var("l")};

    int from(int d) const { return permutation.value().at(d) - '0'; }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Transpose, transpose)
