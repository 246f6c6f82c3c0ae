// The random spaces of generators/image: sizes that are odd, tiny and wider than a tile.
#include "tests/differential/case.h"

namespace emulsion::differential {
namespace {

struct Size {
    int x, y;
};

Size size(Draw &d, int least) {
    if (d.chance(40)) {
        const Size s = d.pick<Size>({{1, 1}, {1, 7}, {17, 13}, {301, 199}, {2, 2}, {7, 1}, {2000, 5}});
        if (std::min(s.x, s.y) >= least) return s;
    }
    return {std::max(least, d.extent(300)), std::max(least, d.extent(60))};
}

void tiles(Draw &d, Case &c) {
    if (d.chance(60)) c.schedule["tile_x"] = std::to_string(2 * d.between(1, 48));
    if (d.chance(60)) c.schedule["tile_y"] = std::to_string(2 * d.between(1, 12));
    // Tiles of a few pixels in a large picture take long to emulate and show nothing new.
    for (const auto &[name, extents] : c.extents)
        if (extents[0] * extents[1] > 4000 && !c.schedule.empty()) c.schedule["tile_x"] = std::to_string(2 * d.between(24, 160));
    c.schedule["depth"] = std::to_string(d.between(1, 4));
}

Case plane(Draw &d, const char *name) {
    Case c{.generator = name};
    const Size s = size(d, 1);
    c.extents = {{"in", {s.x, s.y}}, {"out", {s.x, s.y}}};
    tiles(d, c);
    return c;
}

Case gaussian_blur(Draw &d) {
    Case c = plane(d, "gaussian_blur");
    if (d.chance(30)) c.schedule["rows"] = "line";
    return c;
}

Case histogram_equalize(Draw &d) { return plane(d, "histogram_equalize"); }
Case median3x3(Draw &d) { return plane(d, "median3x3"); }
Case sobel(Draw &d) { return plane(d, "sobel"); }

Case unsharp_mask(Draw &d) {
    Case c = plane(d, "unsharp_mask");
    if (d.chance(50)) c.algorithm["amount"] = d.pick({"0", "1", "24", "128"});
    return c;
}

Case local_tone_curve(Draw &d) {
    Case c = plane(d, "local_tone_curve");
    c.extents["curve"] = {256};
    return c;
}

Case colour(Draw &d, const char *name) {
    Case c{.generator = name};
    const Size s = size(d, 1);
    c.extents = {{"in", {s.x, s.y, 3}}, {"out", {s.x, s.y, 3}}};
    tiles(d, c);
    return c;
}

Case rgb_to_yuv(Draw &d) { return colour(d, "rgb_to_yuv"); }
Case yuv_to_rgb(Draw &d) { return colour(d, "yuv_to_rgb"); }

Case rgb_to_grey(Draw &d) {
    Case c = colour(d, "rgb_to_grey");
    c.extents["out"].pop_back();
    return c;
}

Case demosaic(Draw &d) {
    Case c{.generator = "demosaic"};
    const Size s = size(d, 2);
    c.extents = {{"in", {s.x, s.y}}, {"out", {s.x, s.y, 3}}};
    tiles(d, c);
    return c;
}

Case resize_bilinear_image(Draw &d) {
    Case c = plane(d, "resize_bilinear_image");
    const auto scaled = [&](int extent) { return std::max((extent + 1) / 2, extent * d.between(50, 300) / 100); };
    for (int &extent : c.extents["out"]) extent = scaled(extent);
    return c;
}

}  // namespace

extern const std::vector<Space> image_spaces;
const std::vector<Space> image_spaces = {
    {"demosaic", demosaic, 0},
    {"gaussian_blur", gaussian_blur, 0},
    {"histogram_equalize", histogram_equalize, 0},
    {"local_tone_curve", local_tone_curve, 0},
    {"median3x3", median3x3, 0},
    {"resize_bilinear_image", resize_bilinear_image, 0},
    {"rgb_to_grey", rgb_to_grey, 0},
    {"rgb_to_yuv", rgb_to_yuv, 0},
    {"sobel", sobel, 0},
    {"unsharp_mask", unsharp_mask, 0},
    {"yuv_to_rgb", yuv_to_rgb, 0},
};

}  // namespace emulsion::differential
