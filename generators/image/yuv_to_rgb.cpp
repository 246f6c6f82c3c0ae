// Luma and colour differences to colour, full range: the inverse of rgb_to_yuv within 3 levels.
//
//   in   u8, (x, y, c), c = y, u (Cb), v (Cr)       out  u8, (x, y, c), c = r, g, b       d = u - 128, e = v - 128
//   r = clamp(y + (179 e + 64 >> 7), 0, 255)
//   g = clamp(y + (-44 d - 91 e + 64 >> 7), 0, 255)
//   b = clamp(y + (227 d + 64 >> 7), 0, 255)
// Numerics: exact in i16. Source: ITU-R BT.601 with JFIF 1.02's ranges, coefficients in 1/128 so that products fit 16 bits.
#include "generators/image/plane.h"

namespace emulsion::generators {

class YuvToRgb : public PlaneKernel<YuvToRgb> {
public:
    static constexpr const char *says = "Luma and colour differences to three colour planes (BT.601, full range).";

    void configure() { set_planes(3, 3); }

    void generate() {
        in.dim(2).set_bounds(0, 3);
        out.dim(2).set_bounds(0, 3);
        no_edge();
        luma = stages.add("luma", cast<int16_t>(edge(x, y, 0)));
        const Func d = stages.add("d", cast<int16_t>(edge(x, y, 1)) - int16_t(128));
        const Func e = stages.add("e", cast<int16_t>(edge(x, y, 2)) - int16_t(128));
        rgb(x, y, c) = Halide::undef<uint8_t>();
        rgb(x, y, 0) = channel(e(x, y) * int16_t(179));
        rgb(x, y, 1) = channel(d(x, y) * int16_t(-44) + e(x, y) * int16_t(-91));
        rgb(x, y, 2) = channel(d(x, y) * int16_t(227));
        out(x, y, c) = rgb(x, y, c);
    }

    void npu_schedule() {
        const Tiling tiling = schedule_tiles();
        ring(compute_in_scratchpad(rgb, tiling.tile), tiling);
    }

private:
    Func luma, rgb{"rgb"};

    Expr channel(const Expr &colour) const { return saturating_cast<uint8_t>(luma(x, y) + rounding_shift_right(colour, 7)); }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::YuvToRgb, yuv_to_rgb)
