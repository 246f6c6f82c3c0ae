// Average over a window: sum of the elements inside `in`, divided by their number.
//
// Shapes and parameters: pool.h. Integers: int32 sum; the quotient rounds ties away from zero, and no zero point takes part
// (input and output share scale and zero point). count_padding: elements outside count, as zeros. Floats: float32 sum in the order kx, ky; one float32 division.
// Dilation is not used. Source: TFLite reference AVERAGE_POOL_2D.
#include "generators/pool.h"

namespace emulsion::generators {

class AveragePool : public Pool<AveragePool> {
public:
    static constexpr const char *says = "Average over a sliding window.";

    GeneratorParam<bool> count_padding{"count_padding", false};

    void generate() {
        const bool floating = !type.value().is_int_or_uint();
        const Type wide = floating ? Float(32) : Int(32);
        padded = boundary::constant_exterior(in, cast(type, 0), image_box(in), form());
        RDom r(0, window.kernel_x, 0, window.kernel_y, "r");
        total(c, x, y, b) = cast(wide, 0);
        total(c, x, y, b) += cast(wide, padded(c, window.in_x(x, r.x), window.in_y(y, r.y), b));
        const Expr covered = inside(window.in_x(x, 0), window.kernel_x, in.dim(1)) * inside(window.in_y(y, 0), window.kernel_y, in.dim(2));
        const Expr count = count_padding ? Expr(int(window.kernel_x) * int(window.kernel_y)) : covered;
        const Expr sum = total(c, x, y, b);
        if (floating)
            out(c, x, y, b) = cast(type, bounds.clamp(elementary::quotient(sum, count)));
        else
            out(c, x, y, b) = saturating_cast(type, bounds.clamp(select(sum >= 0, (sum + count / 2) / count, -((count / 2 - sum) / count))));
    }

    void npu_schedule() { schedule_tiles(padded, total, 4); }

private:
    Func padded, total{"total"};

    /// How many of `taps` elements from `first` on lie in the dimension.
    template<typename Dimension>
    static Expr inside(const Expr &first, const Expr &taps, const Dimension &d) {
        return min(first + taps, d.min() + d.extent()) - max(first, d.min());
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::AveragePool, average_pool)
