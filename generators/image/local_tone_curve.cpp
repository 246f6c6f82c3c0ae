// Local tone mapping: each pixel is scaled by a gain that a curve gives for the mean of its surroundings, so that shadows open
// up and lights keep their contrast: out = min((in * curve(mean) + 32) >> 6, 255).
//
//   curve  u8, 256 gains in 1/64, by local mean
//   mean   over the 16 x 16 window at (x - 8, y - 8), rounded: (sum + 128) >> 8
// Shapes: plane.h, (x, y). Numerics: exact; the sum of 256 pixels just fits u16. The window is summed by doubling: eight additions.
#include "generators/image/plane.h"

namespace emulsion::generators {

class LocalToneCurve : public PlaneKernel<LocalToneCurve> {
public:
    static constexpr const char *says = "Scales each pixel of a plane by a curve of the mean of its surroundings.";

    Input<Buffer<uint8_t, 1>> curve{"curve"};

    void configure() { set_planes(2, 2); }

    void generate() {
        curve.dim(0).set_bounds(0, 256);
        repeat_edge();
        const Func pixels = stages.add("pixels", cast<uint16_t>(edge(x, y)));
        Func sum = stages.add("across1", pixels(x - 8, y) + pixels(x - 7, y));
        for (int step : {2, 4, 8}) sum = pair_x(stages, "across" + std::to_string(step), sum, step);
        sum = stages.add("down1", sum(x, y - 8) + sum(x, y - 7));
        for (int step : {2, 4, 8}) sum = pair_y(stages, "down" + std::to_string(step), sum, step);
        const Func mean = stages.add("mean", cast<uint8_t>(rounding_shift_right(sum(x, y), 8)));
        const Expr gain = lookup(curve, mean(x, y));
        out(x, y) = saturating_cast<uint8_t>(rounding_shift_right(widening_mul(edge(x, y), gain), 6));
    }

    void npu_schedule() {
        schedule_tiles();
        keep_resident(curve, out);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::LocalToneCurve, local_tone_curve)
