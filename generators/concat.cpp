// Concatenation of two to four tensors along dimension `axis`.
//
//   in0 … in3  type, 4 dimensions (extents of 1 where there are fewer), equal extents outside the axis
//   out        type; its extent along the axis is the sum of theirs
// Exact: quantised inputs share scale and zero point (requantise the others first). Source: TFLite CONCATENATION, ONNX Concat.
//
// Every output tile loads the part of each input that it covers, one element at least.
#include "generators/tile.h"

namespace emulsion::generators {

class Concat : public emulsion::Generator<Concat> {
public:
    static constexpr const char *says = "Two to four tensors, one after the other along a dimension.";

    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<int> count{"count", 2, 2, 4};
    GeneratorParam<int> axis{"axis", 0, 0, 3};
    GeneratorParam<int> tile_0{"tile_0", 1024};
    GeneratorParam<int> tile_1{"tile_1", 8};
    GeneratorParam<int> depth{"depth", 2};

    Output<Buffer<>> out{"out"};

    void configure() {
        for (int n = 0; n < count; n++) inputs.push_back(add_input<Buffer<>>("in" + std::to_string(n), type, rank));
        out.set_type(type);
        out.set_dimensions(rank);
    }

    void generate() {
        Expr start = 0, value;
        for (Input<Buffer<>> *input : inputs) {
            const auto d = input->dim(axis);
            std::vector<Expr> at(index_, index_ + rank);
            const Expr local = at[axis] - start;
            at[axis] = clamp(local, 0, d.extent() - 1) + d.min();
            const Expr mine = Func(*input)(at);
            value = value.defined() ? select(local >= 0, mine, value) : mine;
            start = start + d.extent();
        }
        out(index_[0], index_[1], index_[2], index_[3]) = value;
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_0, tile_1, 1, 1}, depth);
        for (Input<Buffer<>> *input : inputs) stage_tile(*input, out, tiling, depth);
    }

private:
    static constexpr int rank = 4;
    const Var index_[rank] = {Var("i"), Var("j"), Var("k"), Var("l")};
    std::vector<Input<Buffer<>> *> inputs;
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Concat, concat)
