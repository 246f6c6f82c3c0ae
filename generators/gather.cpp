// Slices chosen by a tensor of indices: out(i, k, o, b) = in(i, indices(k, b), o, b).
//
//   in       type, (inner, axis, outer, batch)
//   indices  index_type (int32, int64), (count, batch); negative ones count from the end, others outside the axis take the nearest
//   out      type, (inner, count, outer, batch)
// Exact. Source: TFLite GATHER, ONNX Gather.
//
// Schedule: tile_i inner elements of the whole axis lie in the scratchpad while all indices are looked up in them. The last tile is
// filled up with zeros: a look-up may touch any byte between the first and the last row, so no row may have bytes that nobody wrote.
#include "generators/tile.h"

namespace emulsion::generators {

class Gather : public emulsion::Generator<Gather> {
public:
    static constexpr const char *says = "Slices of a tensor chosen by indices.";

    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<Type> index_type{"index_type", Int(32)};
    GeneratorParam<int> tile_i{"tile_i", 16}, tile_k{"tile_k", 64};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"}, indices{"indices"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(4);
        indices.set_type(index_type);
        indices.set_dimensions(2);
        out.set_type(type);
        out.set_dimensions(4);
    }

    void generate() {
        const Expr n = in.dim(1).extent(), index = cast<int32_t>(Func(indices)(k, b));
        Halide::Region box(4, {Expr(), Expr()});
        box[0] = {in.dim(0).min(), in.dim(0).extent()};
        table = boundary::constant_exterior(in, cast(type, 0), box, form());
        out(i, k, o, b) = table(i, clamp(select(index < 0, index + n, index), 0, n - 1), o, b);
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_i, tile_k, 1, 1}, depth);
        const Var io = tiling.outer[0], ko = tiling.outer[1];
        out.reorder(ko, io);
        double_buffer(stage_in(indices, out, {out, ko}), tiling.around, depth);
        compute_in_scratchpad(table, {out, io}).align_bounds(table.args()[0], tile_i);
        double_buffer(table, tiling.around, depth);
    }

private:
    Var i{"i"}, k{"k"}, o{"o"}, b{"b"};
    Func table;
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Gather, gather)
