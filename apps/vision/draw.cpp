#include "apps/vision/draw.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace emulsion::vision {

using image::Image;

namespace {

constexpr int width = 640, height = 480, horizon = 300;

using Colour = std::array<int, 3>;

Colour mix(const Colour &a, const Colour &b, int part, int whole) {
    Colour m{};
    for (int c = 0; c < 3; c++) m[c] = a[c] + (b[c] - a[c]) * part / whole;
    return m;
}

/// Random bits of a place: the same whatever is drawn first. Source: xxHash's avalanche (32 bits).
uint32_t noise(int x, int y, uint32_t salt) {
    uint32_t h = static_cast<uint32_t>(x) * 0x9e3779b1u + static_cast<uint32_t>(y) * 0x85ebca77u + salt * 0xc2b2ae3du;
    h = (h ^ (h >> 15)) * 0x85ebca77u;
    h = (h ^ (h >> 13)) * 0xc2b2ae3du;
    return h ^ (h >> 16);
}

struct Box {
    int x, y, width, height;
    bool holds(int px, int py) const { return px >= x && px < x + width && py >= y && py < y + height; }
};

Colour backdrop(int x, int y) {
    if (y < horizon) return mix({40, 90, 190}, {240, 200, 160}, y, horizon);
    const Colour near = {40, 70, 30}, far = {110, 140, 60};
    return mix(mix(far, near, y - horizon, height - horizon), {90, 60, 40}, x, 2 * width);
}

int peak(int x, int middle, int top, int slope) { return top + std::abs(x - middle) * slope / 8; }

void draw_mountains(int x, int y, Colour &colour) {
    const int back = std::min(peak(x, 180, 150, 7), peak(x, 470, 120, 8)), front = std::min(peak(x, 60, 210, 4), peak(x, 330, 215, 5));
    if (y >= back && y < horizon) colour = y < back + 24 ? Colour{235, 235, 245} : mix({90, 90, 120}, {130, 120, 130}, y - back, 300);
    if (y >= front && y < horizon) colour = mix({60, 80, 70}, {80, 110, 70}, y - front, 100);
}

void draw_sun(int x, int y, Colour &colour) {
    constexpr int radius = 34;
    const int square = (x - 560) * (x - 560) + (y - 70) * (y - 70);
    if (square < radius * radius) colour = {255, 230, 120};
    else if (square < 4 * radius * radius) colour = mix({255, 220, 140}, colour, square - radius * radius, 3 * radius * radius);
}

/// Circles that become finer outward, up to the sampling limit.
void draw_rings(int x, int y, Colour &colour) {
    constexpr Box box{24, 330, 120, 120};
    if (!box.holds(x, y)) return;
    const int dx = x - box.x - 60, dy = y - box.y - 60;
    const int v = std::abs((dx * dx + dy * dy) * 2 % 510 - 255);
    colour = {v, v, v};
}

void draw_checks(int x, int y, Colour &colour) {
    constexpr Box box{160, 330, 96, 120};
    if (!box.holds(x, y)) return;
    const int cell = 16 >> ((y - box.y) / 40);
    colour = ((x - box.x) / cell + (y - box.y) / cell) % 2 ? Colour{250, 250, 250} : Colour{180, 20, 30};
}

/// Lines of made-up glyphs, 5 by 7, on paper.
void draw_text(int x, int y, Colour &colour) {
    constexpr Box paper{280, 322, 200, 136};
    if (!paper.holds(x, y)) return;
    colour = {245, 240, 225};
    const int tx = x - paper.x - 10, ty = y - paper.y - 8;
    const int column = tx / 7, line = ty / 12, gx = tx % 7, gy = ty % 12;
    const bool inside = tx >= 0 && column < 26 && ty >= 0 && line < 10 && gx < 5 && gy < 7;
    const bool blank = noise(column, line, 1) % 5 == 0;
    if (inside && !blank && noise(gx + column * 5, gy + line * 7, 2) % 2) colour = {30, 30, 60};
}

/// A grey ramp with grain above, with dead and hot pixels below.
void draw_noise(int x, int y, Colour &colour) {
    constexpr Box box{500, 322, 120, 136};
    if (!box.holds(x, y)) return;
    const int level = 40 + (x - box.x) * 180 / box.width;
    const uint32_t n = noise(x, y, 3);
    int v = level + (y < box.y + 68 ? static_cast<int>(n % 33) - 16 : 0);
    if (y >= box.y + 68 && n % 12 == 0) v = n & 0x10000 ? 255 : 0;
    colour = {v, v, v};
}

constexpr void (*layers[])(int, int, Colour &) = {draw_sun, draw_mountains, draw_rings, draw_checks, draw_text, draw_noise};

}  // namespace

Image draw_scene() {
    Image scene(width, height, 3);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            Colour colour = backdrop(x, y);
            for (const auto layer : layers) layer(x, y, colour);
            for (int c = 0; c < 3; c++) scene.set(x, y, c, std::clamp(colour[c], 0, 255));
        }
    return scene;
}

}  // namespace emulsion::vision
