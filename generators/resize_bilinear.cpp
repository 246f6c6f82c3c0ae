// Bilinear resize of an image tensor. Shapes: resize.h.
//
// Integers: coordinates in 1/1024 of an element, products in int64, quotient rounded with ties away from zero: exactly TFLite's
// reference RESIZE_BILINEAR of int8 and int16 (ResizeBilinearInteger). Floats, and integers with `real`: coordinates, weights and sums
// in float32 in the order of TFLite's reference kernel (ResizeBilinear), integers rounded by adding 1/2: its uint8 kernel.
#include "generators/resize.h"

namespace emulsion::generators {

class ResizeBilinear : public Resize<ResizeBilinear> {
public:
    static constexpr const char *says = "Bilinear resize of an image tensor.";

    GeneratorParam<bool> real{"real", false};

    void generate() {
        const ResizeAxis ax = axis(in_x, out_x, tile_x), ay = axis(in_y, out_y, tile_y);
        define_part(ax, ay);
        if (floating()) real_sum(ax, ay);
        else integer_sum(ax, ay);
    }

private:
    bool floating() const { return real || !type.value().is_int_or_uint(); }

    void integer_sum(const ResizeAxis &ax, const ResizeAxis &ay) {
        const Func left = coordinate("left", x, ax.local(ax.below(x), x)), right = coordinate("right", x, ax.local(ax.above(x), x));
        const Func top = coordinate("top", y, ay.local(ay.below(y), y)), bottom = coordinate("bottom", y, ay.local(ay.above(y), y));
        const Func wx = coordinate("wx", x, ax.position(x) - ax.below(x) * ax.unit), wy = coordinate("wy", y, ay.position(y) - ay.below(y) * ay.unit);
        const auto blend = [&](const Expr &u, const Expr &v, const Expr &wu, const Expr &wv) {
            return cast<int64_t>(part_at(ax, ay, u, v)) * cast<int64_t>(wu * wv);
        };
        const Expr total = blend(left(x), top(y), 1024 - wx(x), 1024 - wy(y)) + blend(right(x), top(y), wx(x), 1024 - wy(y)) +
                           blend(left(x), bottom(y), 1024 - wx(x), wy(y)) + blend(right(x), bottom(y), wx(x), wy(y));
        const Expr half = cast<int64_t>(1 << 19);
        out(c, x, y, b) = saturating_cast(type, select(total > 0, (total + half) >> 20, -((half - total) >> 20)));
    }

    void real_sum(const ResizeAxis &ax, const ResizeAxis &ay) {
        const Func left = coordinate("left", x, neighbour(ax, false)), right = coordinate("right", x, neighbour(ax, true)), wx = coordinate("wx", x, weight(ax));
        const Func top = coordinate("top", y, neighbour(ay, false)), bottom = coordinate("bottom", y, neighbour(ay, true)), wy = coordinate("wy", y, weight(ay));
        const auto blend = [&](const Func &u, const Func &v, const Expr &wu, const Expr &wv) { return cast<float>(part_at(ax, ay, u(x), v(y))) * wv * wu; };
        // strict_float: Halide may not collect the weights.
        const Expr total = strict_float(blend(left, top, 1.0f - wx(x), 1.0f - wy(y)) + blend(left, bottom, 1.0f - wx(x), wy(y)) +
                                        blend(right, top, wx(x), 1.0f - wy(y)) + blend(right, bottom, wx(x), wy(y)));
        const bool integers = type.value().is_int_or_uint();
        out(c, x, y, b) = integers ? cast(type, cast<int32_t>(total + 0.5f)) : cast(type, total);
    }

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

    // Source: ComputeInterpolationValues, tensorflow/lite/kernels/internal/reference/resize_bilinear.h.
    float position(const ResizeAxis &a, int v) const {
        const bool align = align_corners && a.out > 1;
        const float scale = align ? static_cast<float>(a.in - 1) / static_cast<float>(a.out - 1) : static_cast<float>(a.in) / static_cast<float>(a.out);
        return half_pixel_centers ? (static_cast<float>(v) + 0.5f) * scale - 0.5f : static_cast<float>(v) * scale;
    }
    int neighbour_of(const ResizeAxis &a, int v, bool above) const {
        const float p = position(a, v);
        return above ? std::min(static_cast<int>(std::ceil(p)), a.in - 1) : std::max(static_cast<int>(std::floor(p)), 0);
    }
    Buffer<int32_t> neighbour(const ResizeAxis &a, bool above) const {
        return a.local_table([&](int v) { return neighbour_of(a, v, above); });
    }
    Buffer<float> weight(const ResizeAxis &a) const {
        return a.table<float>([&](int v, int) { return position(a, v) - static_cast<float>(neighbour_of(a, v, false)); });
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::ResizeBilinear, resize_bilinear)
