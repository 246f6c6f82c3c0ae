#include "apps/explore/plot/canvas.h"
#include "apps/image/atomic_file.h"
#include "runtime/diag/diag.h"

#include <filesystem>
#include <fmt/format.h>

namespace emulsion::explore::plot {
namespace {

void put(const std::string &path, const std::string &bytes) { image::write_atomically(path, {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}); }

std::string quoted(const std::string &word) { return fmt::format("\"{}\"", word); }

std::string csv(const Figure &f) {
    std::string text = fmt::format("series,{},{}\n", quoted(f.x.label), quoted(f.y.label));
    for (const Series &s : f.series)
        for (const At &p : s.at) text += fmt::format("{},{},{}\n", quoted(s.name), p.x, p.y);
    for (const Cell &c : f.cells) text += fmt::format("{},{},{}\n", quoted(c.text.empty() ? fmt::format("to {} {}", c.high.x, c.high.y) : c.text), c.low.x, c.low.y);
    return text;
}

}  // namespace

void write(const Figure &f, const std::string &path) {
    const std::filesystem::path file(path);
    const bool png = file.extension() == ".png";
    if (!png && file.extension() != ".svg") raise(Diag::command_line, {}, fmt::format("\"{}\" ends in neither .svg nor .png", path));
    const auto canvas = png ? png_canvas(figure_width, figure_height) : svg_canvas(figure_width, figure_height);
    draw(f, *canvas);
    put(path, canvas->finish());
    put(std::filesystem::path(file).replace_extension(".csv").string(), csv(f));
}

}  // namespace emulsion::explore::plot
