// The elements of one tensor in another: out = in. The buffers' strides do the work: slices, parts of a concatenation, interleaving,
// and repetition (a stride of 0) are copies.
//
//   in, out  type, `rank` dimensions of equal extents
// Exact. Source: TFLite STRIDED_SLICE, SPLIT, CONCATENATION, TILE; ONNX Slice, Expand.
//
// Schedule: a tile of up to six dimensions is loaded and stored as it is; no unit but the two transfer engines works.
#include "generators/tile.h"

namespace emulsion::generators {

class Copy : public emulsion::Generator<Copy> {
public:
    static constexpr const char *says = "The elements of one tensor in another.";

    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<int> rank{"rank", 1, 1, 6};
    GeneratorParam<int> tile_0{"tile_0", 4096}, tile_1{"tile_1", 1}, tile_2{"tile_2", 1}, tile_3{"tile_3", 1}, tile_4{"tile_4", 1}, tile_5{"tile_5", 1};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(rank);
        out.set_type(type);
        out.set_dimensions(rank);
    }

    void generate() {
        const std::vector<Var> index(index_, index_ + rank);
        out(index) = Func(in)(index);
    }

    void npu_schedule() {
        const int tiles[] = {tile_0, tile_1, tile_2, tile_3, tile_4, tile_5};
        stage_tile(in, out, tile_output(out, {tiles, tiles + rank}, depth), depth);
    }

private:
    const Var index_[6] = {Var("i"), Var("j"), Var("k"), Var("l"), Var("m"), Var("n")};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Copy, copy)
