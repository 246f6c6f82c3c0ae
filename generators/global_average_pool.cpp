// Average over a whole image: out(c, 0, 0, b) = average over x, y of in(c, x, y, b).
//
//   in   type, (c, x, y, b)
//   out  type, (c, 1, 1, b)
// Integers: int32 sum, quotient rounded with ties away from zero; input and output share scale and zero point. Floats: float32
// sum and one division. Source: TFLite reference AVERAGE_POOL_2D with a window of the image's size.
//
// Schedule: tiles of channels; rows are staged tile_x pixels at a time, so that any image fits.
#include "generators/tile.h"

namespace emulsion::generators {

class GlobalAveragePool : public emulsion::Generator<GlobalAveragePool> {
public:
    static constexpr const char *says = "Average of every channel over the whole image.";

    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<int> tile_c{"tile_c", 256};
    GeneratorParam<int> tile_x{"tile_x", 32};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(4);
        out.set_type(type);
        out.set_dimensions(4);
    }

    void generate() {
        const bool floating = !type.value().is_int_or_uint();
        const Type wide = floating ? Float(32) : Int(32);
        r = RDom(in.dim(1).min(), in.dim(1).extent(), in.dim(2).min(), in.dim(2).extent(), "r");
        total(c, b) = cast(wide, 0);
        total(c, b) += cast(wide, in(c, r.x, r.y, b));
        const Expr sum = total(c, b), count = in.dim(1).extent() * in.dim(2).extent();
        if (floating)
            out(c, x, y, b) = cast(type, elementary::quotient(sum, count));
        else
            out(c, x, y, b) = saturating_cast(type, select(sum >= 0, (sum + count / 2) / count, -((count / 2 - sum) / count)));
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_c, 1, 1, 1}, depth);
        RVar xo("xo"), xi("xi");
        compute_in_scratchpad(total, tiling.tile);
        total.update().split(r.x, xo, xi, tile_x).reorder(xi, c, b, xo, r.y);
        double_buffer(stage_in(in, total, {total, xo}), tiling.around, depth);
    }

private:
    Var c{"c"}, x{"x"}, y{"y"}, b{"b"};
    RDom r;
    Func total{"total"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::GlobalAveragePool, global_average_pool)
