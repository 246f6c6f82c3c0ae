// Nearest-neighbour resize: out(c, x, y, b) = in(c, floor((x + h) * in_x / out_x), ..., b), h = 1/2 with half_pixel_centers;
// with align_corners: round(x * (in_x - 1) / (out_x - 1)), ties up.
//
// Shapes: resize.h. Exact fractions. Source: TFLite reference RESIZE_NEAREST_NEIGHBOR, whose float32 coordinates can fall on the
// other side of an integer where the exact position is one.
#include "generators/resize.h"

namespace emulsion::generators {

class ResizeNearest : public Resize<ResizeNearest> {
public:
    static constexpr const char *says = "Nearest-neighbour resize of an image tensor.";

    void generate() {
        const ResizeAxis ax = axis(in_x, out_x, tile_x), ay = axis(in_y, out_y, tile_y);
        define_part(ax, ay);
        const Func column = coordinate("column", x, ax.local(ax.below(x), x)), row = coordinate("row", y, ay.local(ay.below(y), y));
        out(c, x, y, b) = part_at(ax, ay, column(x), row(y));
    }

private:
    ResizeAxis axis(int from, int to, int tile) const {
        if (align_corners && to > 1) return {from, to, 2 * (from - 1), to - 1, 2 * (to - 1), tile};
        if (half_pixel_centers) return {from, to, 2 * from, from, 2 * to, tile};
        return {from, to, from, 0, to, tile};
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::ResizeNearest, resize_nearest)
