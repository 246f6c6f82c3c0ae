// Luminance of a colour picture: (77 R + 150 G + 29 B + 128) >> 8.
//
//   in   colour (picture.h)
//   out  plane
// Numerics: exact in uint16. Source: ITU-R BT.601 luma in 1/256.
#include "generators/image/picture.h"

namespace emulsion::generators {

class RgbToGrey : public Picture<RgbToGrey> {
public:
    static constexpr const char *says = "Luminance of a colour picture.";

    Input<Buffer<uint8_t, 3>> in{"in"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        in.dim(2).set_bounds(0, 3);
        const auto part = [&](int channel, int weight) { return cast<uint16_t>(in(x, y, channel)) * cast<uint16_t>(weight); };
        out(x, y) = cast<uint8_t>((part(0, 77) + part(1, 150) + part(2, 29) + cast<uint16_t>(128)) >> cast<uint16_t>(8));
    }

    void npu_schedule() {
        const Tiling tiling = tile_picture(out, 0, 0, 4);
        stage_tile(in, out, tiling, depth);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::RgbToGrey, rgb_to_grey)
