// YUV of full range (JPEG) to RGB, saturated.
//
//   in, out  colour (picture.h): Y U V, R G B
// Numerics, exact in int16 with u = U - 128, v = V - 128: R = (64 Y + 90 v + 32) >> 6, G = (64 Y - 22 u - 46 v + 32) >> 6,
// B = (64 Y + 113 u + 32) >> 6. Source: JFIF 1.02, weights in 1/64: more bits would need wider sums.
#include "generators/image/colour_matrix.h"

namespace emulsion::generators {

class YuvToRgb : public ColourMatrix<YuvToRgb> {
public:
    static constexpr const char *says = "YUV of full range to RGB.";

    void generate() {
        define_weights({{64, 0, 90}, {64, -22, -46}, {64, 113, 0}}, Int(16));
        const auto difference = [&](int k) { return (cast<int16_t>(in(x, y, k)) - cast<int16_t>(128)) * weight(k, c); };
        const Expr luminance = cast<int16_t>(in(x, y, 0)) * cast<int16_t>(64);
        const Expr sum = luminance + difference(1) + difference(2) + cast<int16_t>(32);
        out(x, y, c) = saturating_cast<uint8_t>(sum >> cast<int16_t>(6));
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::YuvToRgb, yuv_to_rgb)
