// A figure: two axes with lines, points and cells. What it shows is here, how it is drawn in draw.cpp, on what in canvas.h.
#pragma once
#include <string>
#include <vector>

namespace emulsion::explore::plot {

struct At {
    double x = 0, y = 0;
};

struct Axis {
    std::string label;
    bool log = false;
    std::vector<std::string> names;  ///< not empty: position k is names[k] instead of a number
};

enum class Mark : unsigned char { line, steps, points, dashes };

struct Series {
    std::string name;
    Mark mark = Mark::line;
    std::vector<At> at;
    int colour = -1;  ///< of the palette; below 0: by position
};

/// A filled rectangle in the axes' units.
struct Cell {
    At low, high;
    double value = 0;  ///< 0 to 1: its colour on the scale; with `series` not negative: that palette colour
    int series = -1;
    std::string text;
};

struct Figure {
    std::string title;
    Axis x, y;
    std::vector<Series> series;
    std::vector<Cell> cells;
};

/// FILE.svg or FILE.png, and FILE.csv beside it with what it shows. Raises EM604 for another ending, EM632 when it cannot be written.
void write(const Figure &figure, const std::string &path);

}  // namespace emulsion::explore::plot
