// Running sum along an axis: out(i, a, o) = sum of in(i, b, o) over b <= a; exclusive: over b < a; reverse: from the other end.
//
//   in, out  type, (inner, axis, outer)
// One addition per element, in the order of the axis, in the type's own arithmetic. Source: TFLite CUMSUM, ONNX CumSum.
//
// Schedule: tiles of tile_i inner elements with their whole axis, which must fit the scratchpad.
#include "generators/tile.h"

namespace emulsion::generators {

class CumulativeSum : public emulsion::Generator<CumulativeSum> {
public:
    static constexpr const char *says = "Running sum along an axis.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<bool> exclusive{"exclusive", false}, reverse{"reverse", false};
    GeneratorParam<int> tile_i{"tile_i", 16};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(3);
        out.set_type(type);
        out.set_dimensions(3);
    }

    void generate() {
        const Expr n = in.dim(1).extent();
        const auto place = [&](const Expr &k) { return reverse ? n - 1 - k : k; };
        const RDom r(1, n - 1, "r");
        ordered(i, k, o) = Func(in)(i, place(k), o);
        if (exclusive) sum(i, k, o) = cast(type, 0);
        else sum(i, k, o) = ordered(i, k, o);
        sum(i, r, o) = sum(i, r - 1, o) + ordered(i, exclusive ? r - 1 : Expr(r), o);
        out(i, k, o) = sum(i, place(k), o);
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_i, 0, 1}, depth);
        compute_in_scratchpad(sum, tiling.tile);
        compute_in_scratchpad(ordered, tiling.tile);
        double_buffer(ordered, tiling.around, depth);
    }

private:
    Var i{"i"}, k{"k"}, o{"o"};
    Func ordered{"ordered"}, sum{"sum"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::CumulativeSum, cumulative_sum)
