// What figures are drawn on. Units are pixels, y grows downwards.
#pragma once
#include "apps/explore/plot/figure.h"

#include <cstdint>
#include <memory>

namespace emulsion::explore::plot {

struct Colour {
    uint8_t r = 0, g = 0, b = 0;
};

enum class Anchor : unsigned char { start, middle, end };

struct Pen {
    Colour colour;
    double width = 1;
    bool dashed = false;
};

class Canvas {
public:
    virtual ~Canvas() = default;
    virtual void line(const std::vector<At> &points, const Pen &pen) = 0;
    virtual void rectangle(At corner, double width, double height, Colour fill) = 0;
    virtual void dot(At centre, double radius, Colour fill) = 0;
    /// `at` is on the baseline. Upright text reads from below.
    virtual void text(At at, const std::string &words, double size, Anchor anchor, bool upright) = 0;
    /// The file's bytes.
    virtual std::string finish() = 0;
};

std::unique_ptr<Canvas> svg_canvas(int width, int height);
std::unique_ptr<Canvas> png_canvas(int width, int height);

inline constexpr int figure_width = 960, figure_height = 560;
void draw(const Figure &figure, Canvas &canvas);

}  // namespace emulsion::explore::plot
