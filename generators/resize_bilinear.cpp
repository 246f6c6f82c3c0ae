// Bilinear resize of an image tensor. Shapes: resize.h.
//
// Integers: coordinates in 1/1024 of an element, products in int64, quotient rounded with ties away from zero: exactly TFLite's
// reference RESIZE_BILINEAR (ResizeBilinearInteger). Floats: coordinates are exact fractions, weights and sums float32; within
// 4 ulp of the largest of the four elements.
#include "generators/resize.h"

namespace emulsion::generators {

class ResizeBilinear : public Resize<ResizeBilinear> {
public:
    static constexpr const char *says = "Bilinear resize of an image tensor.";

    void generate() {
        const ResizeAxis ax = axis(in_x, out_x, tile_x), ay = axis(in_y, out_y, tile_y);
        define_part(ax, ay);
        const Func left = coordinate("left", x, ax.local(ax.below(x), x)), right = coordinate("right", x, ax.local(ax.above(x), x));
        const Func top = coordinate("top", y, ay.local(ay.below(y), y)), bottom = coordinate("bottom", y, ay.local(ay.above(y), y));
        const Func wx = coordinate("wx", x, weight(ax, x)), wy = coordinate("wy", y, weight(ay, y));

        const Expr one = floating() ? Expr(1.0f) : Expr(1024);
        const auto blend = [&](const Expr &u, const Expr &v, const Expr &wu, const Expr &wv) {
            const Expr element = part_at(ax, ay, u, v);
            return floating() ? cast<float>(element) * wu * wv : cast<int64_t>(element) * cast<int64_t>(wu * wv);
        };
        const Expr total = blend(left(x), top(y), one - wx(x), one - wy(y)) + blend(right(x), top(y), wx(x), one - wy(y)) +
                           blend(left(x), bottom(y), one - wx(x), wy(y)) + blend(right(x), bottom(y), wx(x), wy(y));
        const Expr half = cast<int64_t>(1 << 19);
        out(c, x, y, b) = floating() ? cast(type, total)
                                     : saturating_cast(type, select(total > 0, (total + half) >> 20, -((half - total) >> 20)));
    }

private:
    bool floating() const { return !type.value().is_int_or_uint(); }

    ResizeAxis axis(int from, int to, int tile) const {
        const bool align = align_corners && to > 1;
        if (floating()) {
            if (align) return {from, to, from - 1, 0, to - 1, tile};
            if (half_pixel_centers) return {from, to, 2 * from, from - to, 2 * to, tile};
            return {from, to, from, 0, to, tile};
        }
        const int scale = align ? (1024 * (from - 1) + (to - 1) / 2) / (to - 1) : (1024 * from + to / 2) / to;
        return {from, to, scale, half_pixel_centers ? scale / 2 - 512 : 0, 1024, tile};
    }

    /// Of the element above: in 1/1024 (integers), or as a float.
    Expr weight(const ResizeAxis &a, const Expr &v) const {
        const Expr rest = a.position(v) - a.below(v) * a.unit;
        return floating() ? cast<float>(rest) / static_cast<float>(a.unit) : rest;
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::ResizeBilinear, resize_bilinear)
