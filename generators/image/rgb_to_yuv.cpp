// RGB to YUV of full range (JPEG): Y luminance, U and V colour differences around 128.
//
//   in, out  colour (picture.h): R G B, Y U V
// Numerics, exact: Y = (77 R + 150 G + 29 B + 128) >> 8, U = (128 B - 43 R - 85 G + 32895) >> 8,
// V = (128 R - 107 G - 21 B + 32895) >> 8. Sums stay in 0 … 65535, so uint16 that wraps on the way is right and nothing
// saturates (32896 would round ties up, but overflow at pure blue). Source: JFIF 1.02, weights in 1/256.
#include "generators/image/colour_matrix.h"

namespace emulsion::generators {

class RgbToYuv : public ColourMatrix<RgbToYuv> {
public:
    static constexpr const char *says = "RGB to YUV of full range.";

    void generate() {
        define_weights({{77, 150, 29}, {-43, -85, 128}, {128, -107, -21}}, UInt(16));
        bias(c) = select(c == 0, cast<uint16_t>(128), cast<uint16_t>(32895));
        bias.bound(c, 0, 3);
        const auto part = [&](int k) { return cast<uint16_t>(in(x, y, k)) * weight(k, c); };
        out(x, y, c) = cast<uint8_t>((part(0) + part(1) + part(2) + bias(c)) >> cast<uint16_t>(8));
    }

    void npu_schedule() {
        ColourMatrix::npu_schedule();
        compute_in_scratchpad(bias, Halide::LoopLevel::root());
    }

private:
    Func bias{"bias"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::RgbToYuv, rgb_to_yuv)
