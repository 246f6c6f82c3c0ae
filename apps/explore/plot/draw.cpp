#include "apps/explore/plot/canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::explore::plot {
namespace {

constexpr double left = 90, right = 210, top = 40, bottom = 60, font = 12, tick_length = 5;
constexpr int wanted_ticks = 7;
constexpr Colour black{}, grid{225, 225, 225}, white{255, 255, 255};
constexpr Colour palette[] = {{31, 119, 180}, {214, 39, 40}, {44, 160, 44}, {255, 127, 14}, {148, 103, 189}, {127, 127, 127}};

Colour palette_colour(size_t k) { return palette[k % std::size(palette)]; }

/// Dark blue (0, best) to pale yellow (1).
Colour scale_colour(double v) {
    v = std::clamp(v, 0.0, 1.0);
    const auto mix = [v](double a, double b) { return static_cast<uint8_t>(a + (b - a) * v); };
    return {mix(49, 255), mix(130, 247), mix(189, 188)};
}

/// One axis on the page.
class Scale {
public:
    Scale(const Axis &axis, std::vector<double> values, double from, double to) : axis_(axis), from_(from), to_(to) {
        if (!axis.names.empty()) values = {-0.5, static_cast<double>(axis.names.size()) - 0.5};
        if (axis.log) std::erase_if(values, [](double v) { return v <= 0; });
        if (values.empty()) values = {1, 2};
        low_ = in(*std::min_element(values.begin(), values.end())), high_ = in(*std::max_element(values.begin(), values.end()));
        if (!axis.names.empty()) return;
        const double margin = high_ > low_ ? 0.04 * (high_ - low_) : std::max(0.5, 0.05 * std::abs(high_));
        const bool from_zero = !axis.log && low_ >= 0 && low_ < 0.3 * high_;  // an axis that nearly starts at 0 starts at 0
        low_ = from_zero ? 0 : low_ - margin, high_ += margin;
    }

    double operator()(double v) const { return from_ + (in(v) - low_) / (high_ - low_) * (to_ - from_); }

    std::vector<std::pair<double, std::string>> ticks() const {
        std::vector<std::pair<double, std::string>> list;
        if (!axis_.names.empty()) {
            for (size_t k = 0; k < axis_.names.size(); k++) list.emplace_back(k, axis_.names[k]);
        } else if (axis_.log && high_ - low_ > 1) {
            for (double p = std::ceil(low_); p <= high_; p++) list.emplace_back(std::pow(10, p), label(std::pow(10, p)));
        } else {
            const double a = axis_.log ? std::pow(10, low_) : low_, b = axis_.log ? std::pow(10, high_) : high_;
            const double step = nice((b - a) / wanted_ticks);
            for (double v = std::ceil(a / step) * step; v <= b + 1e-9 * step; v += step) list.emplace_back(v, label(std::abs(v) < 1e-9 * step ? 0 : v));
        }
        return list;
    }

private:
    double in(double v) const { return axis_.log ? std::log10(std::max(v, 1e-300)) : v; }

    /// 1, 2 or 5 times a power of ten.
    static double nice(double step) {
        const double power = std::pow(10, std::floor(std::log10(step)));
        for (const double f : {1.0, 2.0, 5.0})
            if (step <= f * power) return f * power;
        return 10 * power;
    }

    static std::string label(double v) {
        for (const auto &[unit, letter] : {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")})
            if (std::abs(v) >= unit * 10) return fmt::format("{:.6g}{}", v / unit, letter);
        return fmt::format("{:.6g}", v);
    }

    const Axis &axis_;
    double from_, to_, low_ = 0, high_ = 1;
};

struct Page {
    const Figure &f;
    Canvas &canvas;
    Scale x, y;

    void frame() const {
        const double x0 = left, x1 = figure_width - right, y0 = figure_height - bottom, y1 = top;
        for (const auto &[v, name] : x.ticks()) {
            if (f.x.names.empty()) canvas.line({{x(v), y0}, {x(v), y1}}, {grid});
            canvas.line({{x(v), y0}, {x(v), y0 + tick_length}}, {black});
            canvas.text({x(v), y0 + tick_length + font}, name, font, Anchor::middle, false);
        }
        for (const auto &[v, name] : y.ticks()) {
            if (f.y.names.empty()) canvas.line({{x0, y(v)}, {x1, y(v)}}, {grid});
            canvas.line({{x0 - tick_length, y(v)}, {x0, y(v)}}, {black});
            canvas.text({x0 - tick_length - 3, y(v) + font / 3}, name, font, Anchor::end, false);
        }
        canvas.line({{x0, y1}, {x0, y0}, {x1, y0}}, {black});
        canvas.text({(x0 + x1) / 2, y0 + 42}, f.x.label, font + 1, Anchor::middle, false);
        canvas.text({22, (y0 + y1) / 2}, f.y.label, font + 1, Anchor::middle, true);
        canvas.text({x0, top - 16}, f.title, std::clamp(1.6 * (figure_width - left) / static_cast<double>(f.title.size()), 7.0, font + 2), Anchor::start, false);
    }

    void cells() const {
        for (const Cell &c : f.cells) {
            const double w = x(c.high.x) - x(c.low.x), h = y(c.low.y) - y(c.high.y);
            canvas.rectangle({x(c.low.x), y(c.high.y)}, w, h, c.series < 0 ? scale_colour(c.value) : palette_colour(static_cast<size_t>(c.series)));
            if (!c.text.empty()) canvas.text({x(c.low.x) + w / 2, y(c.low.y) - h / 2 + 4}, c.text, std::clamp(w / 6, 6.0, font), Anchor::middle, false);
        }
    }

    Colour colour_of(size_t k) const { return palette_colour(f.series[k].colour < 0 ? k : static_cast<size_t>(f.series[k].colour)); }

    void series(size_t k) const {
        const Series &s = f.series[k];
        const Colour colour = colour_of(k);
        std::vector<At> at;
        for (const At &p : s.at) {
            const At here{x(p.x), y(p.y)};
            if (s.mark == Mark::points) canvas.dot(here, 2.5, colour);
            if (s.mark == Mark::steps && !at.empty()) at.push_back({here.x, at.back().y});
            at.push_back(here);
        }
        if (s.mark != Mark::points && at.size() > 1) canvas.line(at, {colour, 1.8, s.mark == Mark::dashes});
    }

    void legend() const {
        const double x0 = figure_width - right + 16;
        double y0 = top + 8;
        for (size_t k = 0; k < f.series.size(); k++) {
            if (f.series[k].name.empty()) continue;
            if (f.series[k].mark == Mark::points) canvas.dot({x0 + 10, y0}, 3, colour_of(k));
            else canvas.line({{x0, y0}, {x0 + 20, y0}}, {colour_of(k), 2, f.series[k].mark == Mark::dashes});
            canvas.text({x0 + 26, y0 + font / 3}, f.series[k].name, font, Anchor::start, false);
            y0 += 20;
        }
    }
};

}  // namespace

void draw(const Figure &f, Canvas &canvas) {
    std::vector<double> xs, ys;
    for (const Series &s : f.series)
        for (const At &p : s.at) xs.push_back(p.x), ys.push_back(p.y);
    for (const Cell &c : f.cells) xs.insert(xs.end(), {c.low.x, c.high.x}), ys.insert(ys.end(), {c.low.y, c.high.y});
    const Page page{f, canvas, Scale(f.x, xs, left, figure_width - right), Scale(f.y, ys, figure_height - bottom, top)};
    canvas.rectangle({0, 0}, figure_width, figure_height, white);
    page.frame();
    page.cells();
    for (size_t k = 0; k < f.series.size(); k++) page.series(k);
    page.legend();
}

}  // namespace emulsion::explore::plot
