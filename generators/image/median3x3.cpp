// Median of the 3 x 3 pixels around each pixel of a plane.
//
//   in, out  plane (picture.h), the same size; outside `in` its edge pixels repeat
// Numerics: exact. Source: the median of nine is the median of (largest of the columns' minima, median of their medians,
// smallest of their maxima); columns are sorted once and shared by three pixels. Smith, "Implementing median filters in XC4000E
// FPGAs", 1996.
#include "generators/image/picture.h"

namespace emulsion::generators {

class Median3x3 : public Picture<Median3x3> {
public:
    static constexpr const char *says = "Median of 3 by 3 pixels of a plane.";

    Input<Buffer<uint8_t, 2>> in{"in"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        padded = boundary::repeat_edge(in, boundary::whole(in), form());
        const Expr up = padded(x, y - 1), here = padded(x, y), down = padded(x, y + 1);
        low(x, y) = min(min(up, here), down);
        middle(x, y) = median(up, here, down);
        high(x, y) = max(max(up, here), down);
        out(x, y) = median(max(max(low(x - 1, y), low(x, y)), low(x + 1, y)),
                           median(middle(x - 1, y), middle(x, y), middle(x + 1, y)),
                           min(min(high(x - 1, y), high(x, y)), high(x + 1, y)));
    }

    void npu_schedule() {
        const Tiling tiling = tile_picture(out, 1, 3, 2);
        stage_padded(padded, tiling);
        for (const Func &f : {low, middle, high}) compute_in_scratchpad(f, tiling.tile);
    }

private:
    Func padded, low{"low"}, middle{"middle"}, high{"high"};

    static Expr median(const Expr &a, const Expr &b, const Expr &c) { return max(min(a, b), min(max(a, b), c)); }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Median3x3, median3x3)
