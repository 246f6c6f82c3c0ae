// Every kernel on the emulated machine, under the sanitizer and a random interleaving, against plain loops. Catches:
// schedules that change bits, tails, borders that the load engine fills wrongly, missing order between units.
#include "tests/generators/image/image_kernel.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using scalar::Planes;

constexpr std::pair<int, int> sizes[] = {{1, 1}, {1, 7}, {17, 13}, {301, 199}};

class ImageOnNpu : public testing::TestWithParam<scalar::Kernel> {};

void compare(const scalar::Kernel &k, int w, int h, bool symbolic, const std::string &target,
             const std::map<std::string, std::string> &params = {}) {
    if (std::min(w, h) < k.smallest) return;
    const Planes in = test_picture(w * 31 + h, w, h, k.in_channels);
    SCOPED_TRACE(std::to_string(w) + " x " + std::to_string(h) + " on " + target);
    expect_equal(run_on_npu({k.generator, params, k.out_channels}, in, w, h, symbolic, target), k.apply(in));
}

TEST_P(ImageOnNpu, FixedExtents) {
    for (auto [w, h] : sizes) compare(GetParam(), w, h, false, "mobile");
}

TEST_P(ImageOnNpu, FreeExtents) {
    for (auto [w, h] : sizes) compare(GetParam(), w, h, true, "mobile");
}

TEST_P(ImageOnNpu, ManySmallTiles) {
    compare(GetParam(), 70, 45, true, "mobile", {{"tile_x", "16"}, {"tile_y", "8"}, {"depth", "3"}});
}

TEST_P(ImageOnNpu, SmallMachine) { compare(GetParam(), 301, 40, false, "edge-64"); }

INSTANTIATE_TEST_SUITE_P(Kernels, ImageOnNpu, testing::ValuesIn(scalar::kernels()),
                         [](const auto &info) { return std::string(info.param.generator); });

TEST(ResizeOnNpu, EqualsPlainLoops) {
    const Planes in = test_picture(5, 97, 61);
    for (bool symbolic : {false, true})
        for (auto [w, h] : {std::pair{97, 61}, {300, 122}, {49, 31}})
            expect_equal(run_on_npu({"resize_bilinear_image"}, in, w, h, symbolic), scalar::resize(in, w, h));
}

}  // namespace
}  // namespace emulsion
