// Median of the 3 x 3 neighbourhood: removes single wrong pixels and keeps edges.
//
// Shapes: plane.h, (x, y). Numerics: exact. Columns of three are sorted once and shared by three windows; the median of nine is
// the median of (largest of the smallest, median of the middle, smallest of the largest).
// Source: Paeth, Median finding on a 3x3 grid, Graphics Gems, 1990.
#include "generators/image/plane.h"

namespace emulsion::generators {

class Median3x3 : public PlaneKernel<Median3x3> {
public:
    static constexpr const char *says = "Median of the 3 x 3 neighbourhood of every pixel of a plane.";

    void configure() { set_planes(2, 2); }

    void generate() {
        repeat_edge();
        const Expr above = edge(x, y - 1), here = edge(x, y), below = edge(x, y + 1);
        const Expr low = min(above, here), high = max(above, here), rest = max(low, below);
        Func column("column");
        column(x, y) = Tuple(min(low, below), min(high, rest), max(high, rest));
        stages.add(column);
        const auto ordered = [&](int dx, int k) { return column(x + dx, y)[k]; };
        const Expr smallest = max(max(ordered(-1, 0), ordered(0, 0)), ordered(1, 0));
        const Expr middle = median(ordered(-1, 1), ordered(0, 1), ordered(1, 1));
        const Expr largest = min(min(ordered(-1, 2), ordered(0, 2)), ordered(1, 2));
        out(x, y) = median(smallest, middle, largest);
    }

private:
    static Expr median(const Expr &a, const Expr &b, const Expr &c) { return max(min(a, b), min(max(a, b), c)); }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Median3x3, median3x3)
