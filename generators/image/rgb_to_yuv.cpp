// Colour to luma and colour differences, full range.
//
//   in   u8, (x, y, c), c = r, g, b       out  u8, (x, y, c), c = y, u (Cb), v (Cr)
//   y = ( 77 r + 150 g +  29 b + 128) >> 8
//   u = clamp(128 + (-43 r -  85 g + 128 b + 128 >> 8), 0, 255)
//   v = clamp(128 + (128 r - 107 g -  21 b + 128 >> 8), 0, 255)
// Numerics: exact; y in u16, u and v in i16. Source: ITU-R BT.601 with JFIF 1.02's ranges, coefficients in 1/256.
#include "generators/image/plane.h"

namespace emulsion::generators {

class RgbToYuv : public PlaneKernel<RgbToYuv> {
public:
    static constexpr const char *says = "Three colour planes to luma and colour differences (BT.601, full range).";

    void configure() { set_planes(3, 3); }

    void generate() {
        in.dim(2).set_bounds(0, 3);
        out.dim(2).set_bounds(0, 3);
        no_edge();
        for (int k = 0; k < 3; k++) wide[k] = stages.add("wide" + std::to_string(k), cast<int16_t>(edge(x, y, k)));
        // One plane at a time, so that each is an operation of its own.
        yuv(x, y, c) = Halide::undef<uint8_t>();
        yuv(x, y, 0) = cast<uint8_t>(rounding_shift_right(reinterpret<uint16_t>(sum(77, 150, 29)), 8));
        yuv(x, y, 1) = saturating_cast<uint8_t>(rounding_shift_right(sum(-43, -85, 128), 8) + int16_t(128));
        yuv(x, y, 2) = saturating_cast<uint8_t>(rounding_shift_right(sum(128, -107, -21), 8) + int16_t(128));
        out(x, y, c) = yuv(x, y, c);
    }

    void npu_schedule() {
        const Tiling tiling = schedule_tiles();
        ring(compute_in_scratchpad(yuv, tiling.tile), tiling);
    }

private:
    Func wide[3], yuv{"yuv"};

    Expr sum(int r, int g, int b) const {
        return wide[0](x, y) * int16_t(r) + wide[1](x, y) * int16_t(g) + wide[2](x, y) * int16_t(b);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::RgbToYuv, rgb_to_yuv)
