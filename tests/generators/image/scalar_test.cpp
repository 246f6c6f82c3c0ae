// Algorithms against plain loops, on the CPU. Catches: wrong weights, windows off by one, overflow, wrong edges.
#include "tests/generators/image/image_kernel.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using scalar::Planes;

class ImageOnCpu : public testing::TestWithParam<scalar::Kernel> {};

TEST_P(ImageOnCpu, EqualsPlainLoops) {
    const scalar::Kernel &k = GetParam();
    for (auto [w, h] : {std::pair{1, 1}, {1, 7}, {17, 13}, {64, 48}, {151, 99}}) {
        if (std::min(w, h) < k.smallest) continue;
        const Planes in = test_picture(w * 100 + h, w, h, k.in_channels);
        SCOPED_TRACE(std::to_string(w) + " x " + std::to_string(h));
        expect_equal(run_on_cpu({k.generator, {}, k.out_channels}, in, w, h), k.apply(in));
    }
}

TEST_P(ImageOnCpu, ExtremesDoNotOverflow) {
    const scalar::Kernel &k = GetParam();
    for (int level : {0, 255}) {
        Planes in(20, 9, k.in_channels);
        std::fill(in.pixels.begin(), in.pixels.end(), static_cast<uint8_t>(level));
        expect_equal(run_on_cpu({k.generator, {}, k.out_channels}, in, 20, 9), k.apply(in));
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ImageOnCpu, testing::ValuesIn(scalar::kernels()),
                         [](const auto &info) { return std::string(info.param.generator); });

TEST(Resize, EqualsPlainLoops) {
    const Planes in = test_picture(5, 97, 61);
    for (auto [w, h] : {std::pair{97, 61}, {194, 122}, {49, 31}, {300, 40}, {611, 333}})
        expect_equal(run_on_cpu({"resize_bilinear_image"}, in, w, h), scalar::resize(in, w, h));
}

TEST(Resize, SameExtentsChangeNothing) {
    const Planes in = test_picture(6, 33, 21);
    expect_equal(run_on_cpu({"resize_bilinear_image"}, in, 33, 21), in);
}

TEST(UnsharpMask, TakesItsAmount) {
    const Planes in = test_picture(8, 40, 30);
    for (int amount : {0, 1, 40, 128})
        expect_equal(run_on_cpu({"unsharp_mask", {{"amount", std::to_string(amount)}}}, in, 40, 30), scalar::unsharp(in, amount));
}

TEST(Colour, ThereAndBackWithinThreeLevels) {
    const Planes in = test_picture(9, 60, 40, 3);
    const Planes back = run_on_cpu({"yuv_to_rgb", {}, 3}, run_on_cpu({"rgb_to_yuv", {}, 3}, in, 60, 40), 60, 40);
    for (size_t i = 0; i < in.pixels.size(); i++) ASSERT_LE(std::abs(in.pixels[i] - back.pixels[i]), 3) << i;
}

}  // namespace
}  // namespace emulsion
