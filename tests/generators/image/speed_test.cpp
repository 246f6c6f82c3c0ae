// Cycles of whole pictures against what the vector unit and the memory need at least. Catches: lost overlap, wasted borders.
#include "tests/generators/image/image_kernel.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

class Speed1080p : public testing::TestWithParam<scalar::Kernel> {};

TEST_P(Speed1080p, FourFifthsOfTheRoofline) {
    const scalar::Kernel &k = GetParam();
    const Speed s = time_on_npu({k.generator, {}, k.out_channels}, k.in_channels, 1920, 1080);
    const double share = static_cast<double>(std::max(s.vector, s.ext)) / static_cast<double>(s.cycles);
    RecordProperty("cycles", std::to_string(s.cycles));
    std::printf("%-20s cycles %8lu  vector %8lu  memory %8lu  %.1f %%\n", k.generator, s.cycles, s.vector, s.ext, 100 * share);
    EXPECT_GE(share, 0.8);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Speed1080p, testing::ValuesIn(scalar::kernels()),
                         [](const auto &info) { return std::string(info.param.generator); });

}  // namespace
}  // namespace emulsion
