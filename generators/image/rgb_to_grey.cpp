// Luma of a colour picture: out(x, y) = (77 r + 150 g + 29 b + 128) >> 8.
//
//   in   u8, (x, y, c), c = r, g, b       out  u8, (x, y)
// Numerics: exact in u16 (the weights add up to 256). Source: ITU-R BT.601, Y = 0.299 R + 0.587 G + 0.114 B, in 1/256.
#include "generators/image/plane.h"

namespace emulsion::generators {

class RgbToGrey : public PlaneKernel<RgbToGrey> {
public:
    static constexpr const char *says = "Luma (BT.601) of a picture of three planes.";

    void configure() { set_planes(3, 2); }

    void generate() {
        in.dim(2).set_bounds(0, 3);
        no_edge();
        const auto weighted = [&](int channel, uint8_t weight) { return widening_mul(edge(x, y, channel), Expr(weight)); };
        out(x, y) = cast<uint8_t>(rounding_shift_right(weighted(0, 77) + weighted(1, 150) + weighted(2, 29), 8));
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::RgbToGrey, rgb_to_grey)
