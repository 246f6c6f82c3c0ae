// emulsion_classify picture.png...: what a picture of clothing shows, by the model compiled into this program.
// Exit code: 0, or 2 for an error.
#include "apps/image/image.h"
#include "apps/image/png.h"
#include "fashion.h"
#include "runtime/device/emulsion_device.h"

#include <CLI/CLI.hpp>
#include <HalideBuffer.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace {

using namespace emulsion;

constexpr int size = 28;
constexpr std::array labels = {"t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"};

/// Probability of each label. The model's input is int8: grey values minus 128; its output too: (q + 128) / 256.
std::array<double, labels.size()> classify(const image::Image &picture) {
    if (picture.width != size || picture.height != size || picture.channels != 1) throw std::runtime_error(fmt::format("a grey picture of {0} x {0} pixels is needed", size));
    Halide::Runtime::Buffer<int8_t> in(1, size, size, 1), out(static_cast<int>(labels.size()), 1);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) in(0, x, y, 0) = static_cast<int8_t>(picture.get(x, y, 0) - 128);
    if (fashion(in, out) != 0) throw std::runtime_error(emulsion_last_error());
    std::array<double, labels.size()> result{};
    for (size_t k = 0; k < labels.size(); k++) result[k] = (out(static_cast<int>(k), 0) + 128) / 256.0;
    return result;
}

void print_row(const std::string &path) {
    const auto p = classify(image::to_8_bits(image::without_alpha(image::read_png(path))));
    const auto best = static_cast<size_t>(std::max_element(p.begin(), p.end()) - p.begin());
    emulsion_report_t report{};
    emulsion_last_report(&report);
    fmt::print("{:<16} {:<12} {:>6.1f} % {:>10} {:>9.2f}\n", std::filesystem::path(path).filename().string(), labels[best], 100 * p[best], report.cycles, report.energy_pj / 1e6);
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app("Classifies pictures of clothing, 28 x 28 grey, on the emulated NPU.\nExample: emulsion_classify apps/classify/pictures/*.png");
    std::vector<std::string> paths;
    app.add_option("picture.png", paths, "pictures")->required();
    CLI11_PARSE(app, argc, argv);
    fmt::print("{:<16} {:<12} {:>8} {:>10} {:>9}\n", "picture", "label", "", "cycles", "uJ");
    for (const std::string &path : paths) try {
            print_row(path);
        } catch (const std::exception &e) {
            fmt::print(stderr, "{}: {}\n", path, e.what());
            return 2;
        }
}
