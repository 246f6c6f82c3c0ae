// Place of the largest or smallest element along an axis: out(i, o) = the first (with `last`: the last) a with in(i, a, o) = m(i, o),
// m the maximum (minimum) over a.
//
//   in   in_type, (inner, axis, outer)      out  out_type (int32, int64), (inner, outer)
// Exact; NaN is not handled. Source: TFLite ARG_MAX, ARG_MIN; ONNX ArgMax, ArgMin.
//
// Schedule: two passes over the axis, its slices staged tile_a at a time, so that any extent fits. Both are reductions that may be
// taken in any order, which a pair of value and place is not.
#include "generators/tile.h"

#include <algorithm>

namespace emulsion::generators {

class ArgReduce : public emulsion::Generator<ArgReduce> {
public:
    static constexpr const char *says = "Place of the largest or smallest element along an axis.";

    enum class Op { max, min };
    GeneratorParam<Op> op{"op", Op::max, {{"max", Op::max}, {"min", Op::min}}};
    GeneratorParam<Type> in_type{"in_type", Int(8)};
    GeneratorParam<Type> out_type{"out_type", Int(32)};
    GeneratorParam<bool> last{"last", false};
    GeneratorParam<int> tile_i{"tile_i", 64}, tile_o{"tile_o", 16};
    GeneratorParam<int> tile_a{"tile_a", 0};  ///< elements of the axis staged at a time; 0: from the machine
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(3);
        out.set_type(out_type);
        out.set_dimensions(2);
    }

    void generate() {
        a = RDom(in.dim(1).min(), in.dim(1).extent(), "a");
        const bool largest = op == Op::max;
        const Expr x = Func(in)(i, a, o);
        best(i, o) = largest ? in_type.value().min() : in_type.value().max();
        best(i, o) = largest ? max(best(i, o), x) : min(best(i, o), x);
        const Expr none = last ? -1 : INT32_MAX, found = select(x == best(i, o), a, none);
        place(i, o) = none;
        place(i, o) = last ? max(place(i, o), found) : min(place(i, o), found);
        out(i, o) = cast(out_type, place(i, o));
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_i, tile_o}, depth);
        // A quarter of the scratchpad for the slots of both passes.
        const int64_t slice = int64_t{tile_i} * tile_o * in_type.value().bytes() * 2 * depth;
        const int along = tile_a > 0 ? int(tile_a) : static_cast<int>(std::clamp<int64_t>(static_cast<int64_t>(machine().spm_bytes) / 4 / slice, 1, 64));
        for (Func f : {best, place}) {
            compute_in_scratchpad(f, tiling.tile);
            RVar ao("ao"), ai("ai");
            f.update().split(a, ao, ai, along).reorder(ai, i, o, ao);
            double_buffer(stage_in(in, f, {f, ao}), tiling.around, depth);
        }
    }

private:
    Var i{"i"}, o{"o"};
    RDom a;
    Func best{"best"}, place{"place"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::ArgReduce, arg_reduce)
