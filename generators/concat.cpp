// Concatenation of two to four tensors along dimension `axis`.
//
//   in0 … in3  type, 4 dimensions (extents of 1 where there are fewer), equal extents outside the axis
//   out        type; its extent along the axis is the sum of theirs
// Exact: quantised inputs share scale and zero point (requantise the others first). Source: TFLite CONCATENATION, ONNX Concat.
//
// Every output tile loads a tile of each input, zero bits where the input has none, and joins them by bitwise or:
// a select would let Halide leave tiles of the branch not taken unloaded, which the vector unit still reads.
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
            Halide::Region box(rank, {Expr(), Expr()});
            box[axis] = {input->dim(axis).min(), input->dim(axis).extent()};
            bounded.push_back(boundary::constant_exterior(*input, cast(type, 0), box, form()));
            std::vector<Expr> at(index_, index_ + rank);
            at[axis] = at[axis] - start + box[axis].min;
            const Expr bits = reinterpret(UInt(type.value().bits()), bounded.back()(at));
            value = value.defined() ? value | bits : bits;
            start = start + box[axis].extent;
        }
        out(index_[0], index_[1], index_[2], index_[3]) = reinterpret(type, value);
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_0, tile_1, 1, 1}, depth);
        for (const Func &input : bounded) double_buffer(compute_in_scratchpad(input, tiling.tile), tiling.around, depth);
    }

private:
    static constexpr int rank = 4;
    const Var index_[rank] = {Var("i"), Var("j"), Var("k"), Var("l")};
    std::vector<Input<Buffer<>> *> inputs;
    std::vector<Func> bounded;  ///< each input, zero outside its extent along the axis
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Concat, concat)
