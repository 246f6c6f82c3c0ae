// The 5 x 5 binomial window (1 4 6 4 1) / 16 in both directions, as eight pair sums: one addition a stage.
#pragma once
#include "generators/image/plane.h"

namespace emulsion::generators {

struct Binomial {
    Halide::Func pixels;      ///< the source in 16 bits
    Halide::Func horizontal;  ///< weighted sum over x: 16 times the mean, at most 4080
    Halide::Func rows;        ///< first three of the four sums over y
    /// 256 times the mean, at most 65280: exact in u16.
    Halide::Expr sum(const Stages &s) const { return rows(s.x, s.y) + rows(s.x, s.y + 1); }
    /// The mean, rounded to nearest, in u16.
    Halide::Expr mean(const Stages &s) const { return rounding_shift_right(sum(s), 8); }
};

inline Binomial binomial(Stages &s, const Halide::Func &source) {
    Binomial b;
    b.pixels = s.add("pixels", Halide::cast<uint16_t>(source(s.x, s.y)));
    // The first sums are shifted so that the windows end up centred.
    b.horizontal = s.add("across1", b.pixels(s.x - 2, s.y) + b.pixels(s.x - 1, s.y));
    for (const char *name : {"across2", "across3", "across4"}) b.horizontal = pair_x(s, name, b.horizontal);
    b.rows = s.add("down1", b.horizontal(s.x, s.y - 2) + b.horizontal(s.x, s.y - 1));
    for (const char *name : {"down2", "down3"}) b.rows = pair_y(s, name, b.rows);
    return b;
}

}  // namespace emulsion::generators
