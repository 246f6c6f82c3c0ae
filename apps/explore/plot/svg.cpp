#include "apps/explore/plot/canvas.h"

#include <fmt/format.h>

namespace emulsion::explore::plot {
namespace {

std::string hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

std::string escaped(const std::string &words) {
    std::string text;
    for (const char c : words) {
        if (c == '&') text += "&amp;";
        else if (c == '<') text += "&lt;";
        else if (c == '>') text += "&gt;";
        else text += c;
    }
    return text;
}

class SvgCanvas : public Canvas {
public:
    SvgCanvas(int width, int height) {
        text_ = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n", width, height);
    }
    void line(const std::vector<At> &points, const Pen &pen) override {
        std::string list;
        for (const At &p : points) list += fmt::format("{:.1f},{:.1f} ", p.x, p.y);
        text_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", list, hex(pen.colour), pen.width, pen.dashed ? " stroke-dasharray=\"6 4\"" : "");
    }
    void rectangle(At corner, double width, double height, Colour fill) override {
        text_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", corner.x, corner.y, width, height, hex(fill));
    }
    void dot(At centre, double radius, Colour fill) override { text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", centre.x, centre.y, radius, hex(fill)); }
    void text(At at, const std::string &words, double size, Anchor anchor, bool upright) override {
        constexpr const char *anchors[] = {"start", "middle", "end"};
        text_ += fmt::format("<text x=\"{0:.1f}\" y=\"{1:.1f}\" font-size=\"{2}\" text-anchor=\"{3}\"{4}>{5}</text>\n", at.x, at.y, size, anchors[static_cast<int>(anchor)],
                             upright ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", at.x, at.y) : "", escaped(words));
    }
    std::string finish() override { return text_ + "</svg>\n"; }

private:
    std::string text_;
};

}  // namespace

std::unique_ptr<Canvas> svg_canvas(int width, int height) { return std::make_unique<SvgCanvas>(width, height); }

}  // namespace emulsion::explore::plot
