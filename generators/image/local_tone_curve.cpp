// Tone mapping by the brightness around a pixel: out = in * gain(mean of 8 x 8 pixels around it), saturated.
//
//   in, out  plane (picture.h), the same size; outside `in` its edge pixels repeat
//   gain     uint8, 256 entries in 1/64: entry m multiplies pixels whose surroundings have mean m
// Numerics: mean = (sum + 128) >> 8 of a box of 8 pixels in each direction, centred: 9 taps, the outer two of half weight
// (weights 1 2 2 2 2 2 2 2 1); (in * gain + 32) >> 6. Exact in uint16. Source: local adaptation after Chiu et al., "Spatially
// Nonuniform Scaling Functions for High Contrast Images", 1993.
#include "generators/image/picture.h"

namespace emulsion::generators {

class LocalToneCurve : public Picture<LocalToneCurve> {
public:
    static constexpr const char *says = "Brightens or darkens pixels by a table of their surroundings' mean.";

    Input<Buffer<uint8_t, 2>> in{"in"};
    Input<Buffer<uint8_t, 1>> gain{"gain"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        gain.dim(0).set_bounds(0, 256);
        padded = boundary::repeat_edge(in, boundary::whole(in), form());
        rows(x, y) = box([&](int k) { return padded(x + k, y); });
        mean(x, y) = cast<uint8_t>((box([&](int k) { return rows(x, y + k); }) + cast<uint16_t>(128)) >> cast<uint16_t>(8));
        const Expr product = cast<uint16_t>(padded(x, y)) * cast<uint16_t>(gain(mean(x, y)));
        out(x, y) = saturating_cast<uint8_t>((product + cast<uint16_t>(32)) >> cast<uint16_t>(6));
    }

    void npu_schedule() {
        const Tiling tiling = tile_picture(out, reach, 3, 2);
        stage_padded(padded, tiling);
        compute_in_scratchpad(rows, tiling.tile);
        compute_in_scratchpad(mean, tiling.tile);
        keep_resident(gain);
    }

private:
    static constexpr int reach = 4;
    Func padded, rows{"rows"}, mean{"mean"};

    template<typename F>
    static Expr box(F f) {
        const auto at = [&](int k) { return cast<uint16_t>(f(k)); };
        Expr inner = at(1 - reach);
        for (int k = 2 - reach; k < reach; k++) inner += at(k);
        return inner * cast<uint16_t>(2) + at(-reach) + at(reach);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::LocalToneCurve, local_tone_curve)
