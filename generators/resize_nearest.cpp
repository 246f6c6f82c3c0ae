// Nearest-neighbour resize: out(c, x, y, b) = in(c, floor((x + h) * in_x / out_x), ..., b), h = 1/2 with half_pixel_centers;
// with align_corners: round((x + h) * (in_x - 1) / (out_x - 1)), ties away from zero.
//
// Shapes: resize.h. Coordinates in float32, as TFLite reference RESIZE_NEAREST_NEIGHBOR (GetNearestNeighbor) computes them.
#include "generators/resize.h"

namespace emulsion::generators {

class ResizeNearest : public Resize<ResizeNearest> {
public:
    static constexpr const char *says = "Nearest-neighbour resize of an image tensor.";

    void generate() {
        const ResizeAxis ax = axis(in_x, out_x, tile_x), ay = axis(in_y, out_y, tile_y);
        define_part(ax, ay);
        const Func column = coordinate("column", x, nearest(ax)), row = coordinate("row", y, nearest(ay));
        out(c, x, y, b) = part_at(ax, ay, column(x), row(y));
    }

private:
    // The exact positions, for the bounds of a tile.
    ResizeAxis axis(int from, int to, int tile) const {
        if (align_corners && to > 1) return {from, to, 2 * (from - 1), half_pixel_centers ? from - 1 + to - 1 : to - 1, 2 * (to - 1), tile};
        if (half_pixel_centers) return {from, to, 2 * from, from, 2 * to, tile};
        return {from, to, from, 0, to, tile};
    }

    Buffer<int32_t> nearest(const ResizeAxis &a) const {
        const bool align = align_corners && a.out > 1;
        const float scale = align ? static_cast<float>(a.in - 1) / static_cast<float>(a.out - 1) : static_cast<float>(a.in) / static_cast<float>(a.out);
        const float half = half_pixel_centers ? 0.5f : 0.0f;
        return a.local_table([&](int v) {
            const float position = (static_cast<float>(v) + half) * scale;
            return std::clamp(static_cast<int>(align_corners ? std::round(position) : std::floor(position)), 0, a.in - 1);
        });
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::ResizeNearest, resize_nearest)
