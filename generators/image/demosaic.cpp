// Demosaicing of an RGGB sensor by bilinear interpolation.
//
//   in   u8, (x, y): red where x and y are even, blue where both are odd, green elsewhere; extents of at least 2
//   out  u8, (x, y, c), c = r, g, b; mins 0
// A colour that a pixel lacks is the mean of its two or four neighbours that have it, rounded to nearest, ties up. Outside, the
// picture is mirrored with its edge as the axis, which keeps the colours of the pattern in place. Numerics: exact.
//
// The work is done on planes of one pixel of each 2 x 2: there each mean is one operation without a choice.
#include "generators/image/plane.h"

namespace emulsion::generators {

class Demosaic : public PlaneKernel<Demosaic> {
public:
    static constexpr const char *says = "Colour from the raw plane of an RGGB sensor, bilinear.";

    void configure() { set_planes(2, 3); }

    void generate() {
        for (int d = 0; d < 2; d++) {
            in.dim(d).set_min(0);
            out.dim(d).set_min(0);
        }
        out.dim(2).set_bounds(0, 3);
        edge = boundary::mirror_interior(in, picture_box(), form());
        // Channel of phase (px, py), as in the table of a 2 x 2 cell.
        quarter(x, y, phase, c) = Halide::undef<uint8_t>();
        for (int py = 0; py < 2; py++)
            for (int px = 0; px < 2; px++)
                for (int channel = 0; channel < 3; channel++) quarter(x, y, px + 2 * py, channel) = colour(px, py, channel);
        rgb(x, y, c) = quarter(x / 2, y / 2, x % 2 + 2 * (y % 2), c);
        out(x, y, c) = rgb(x, y, c);
    }

    void npu_schedule() {
        const Tiling tiling = schedule_tiles();
        compute_in_scratchpad(quarter, tiling.tile);
        Var xh("xh"), yh("yh"), xl("xl"), yl("yl");
        compute_in_scratchpad(rgb, tiling.tile);
        rgb.split(x, xh, xl, 2, TailStrategy::GuardWithIf).split(y, yh, yl, 2, TailStrategy::GuardWithIf).reorder(xh, yh, xl, yl, c);
        ring(rgb, tiling);
    }

private:
    Var phase{"phase"};
    Func quarter{"quarter"}, rgb{"rgb"};

    Expr pixel(int dx, int dy) const { return edge(2 * x + dx, 2 * y + dy); }
    Expr across(int px, int py) const { return rounding_halving_add(pixel(px - 1, py), pixel(px + 1, py)); }
    Expr down(int px, int py) const { return rounding_halving_add(pixel(px, py - 1), pixel(px, py + 1)); }
    static Expr mean(const Expr &a, const Expr &b, const Expr &c, const Expr &d) {
        const Expr sum = (cast<uint16_t>(a) + cast<uint16_t>(b)) + (cast<uint16_t>(c) + cast<uint16_t>(d));
        return cast<uint8_t>(rounding_shift_right(sum, 2));
    }
    Expr cross(int px, int py) const { return mean(pixel(px - 1, py), pixel(px + 1, py), pixel(px, py - 1), pixel(px, py + 1)); }
    Expr diagonal(int px, int py) const {
        return mean(pixel(px - 1, py - 1), pixel(px + 1, py - 1), pixel(px - 1, py + 1), pixel(px + 1, py + 1));
    }

    /// Red stands at (0, 0) of a cell, blue at (1, 1), green at the other two.
    Expr colour(int px, int py, int channel) const {
        if (channel == 1) return px != py ? pixel(px, py) : cross(px, py);
        const int at = channel / 2;  // the phase in both directions at which the channel was measured
        if (px == at) return py == at ? pixel(px, py) : down(px, py);
        return py == at ? across(px, py) : diagonal(px, py);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Demosaic, demosaic)
