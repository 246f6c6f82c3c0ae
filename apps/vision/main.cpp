// emulsion_vision in.png out_dir: picture kernels on the emulated NPU, compared byte for byte with the CPU's.
// Exit code: 0 all equal, 1 some byte differs, 2 an error.
#include "apps/image/png.h"
#include "apps/vision/contact_sheet.h"
#include "apps/vision/kernels.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace {

using namespace emulsion;

enum Queue { LD = 1, ST = 2, VX = 5 };  // places in emulsion_report_t::busy

double percent(const emulsion_report_t &r, Queue queue) { return r.cycles ? 100.0 * r.busy[queue] / r.cycles : 0; }

void print_row(const char *name, const vision::Result &result) {
    const emulsion_report_t &r = result.report;
    const std::string equal = result.different ? fmt::format("{} bytes differ", result.different) : "yes";
    fmt::print("{:<14} {:>10} {:>6.1f} {:>6.1f} {:>6.1f} {:>10}  {}\n", name, r.cycles, percent(r, VX), percent(r, LD), percent(r, ST),
               r.ext_read + r.ext_written, equal);
}

int run_all(const std::string &in, const std::filesystem::path &folder) {
    const image::Image picture = image::to_8_bits(image::without_alpha(image::read_png(in)));
    std::filesystem::create_directories(folder);
    fmt::print("{} x {}, {} planes, machine mobile\n", picture.width, picture.height, picture.channels);
    fmt::print("{:<14} {:>10} {:>6} {:>6} {:>6} {:>10}  {}\n", "kernel", "cycles", "VX %", "LD %", "ST %", "bytes", "equal");
    std::vector<image::Image> sheet = {picture};
    uint64_t different = 0;
    for (const vision::Kernel &kernel : vision::kernels()) {
        vision::Result result = vision::run(kernel, picture);
        print_row(kernel.name, result);
        image::write_png(folder / (std::string(kernel.name) + ".png"), result.picture);
        different += result.different;
        sheet.push_back(std::move(result.picture));
    }
    image::write_png(folder / "contact_sheet.png", vision::contact_sheet(sheet));
    return different ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app("Median, unsharp mask and Sobel on the emulated NPU, compared byte for byte with the CPU.\n"
                 "Example: emulsion_vision docs/pictures/scene.png out");
    std::string in, folder;
    app.add_option("in.png", in, "picture, grey or RGB")->required();
    app.add_option("out_dir", folder, "folder for the results, made if it does not exist")->required();
    CLI11_PARSE(app, argc, argv);
    try {
        return run_all(in, folder);
    } catch (const std::exception &e) {
        fmt::print(stderr, "{}\n", e.what());
        return 2;
    }
}
