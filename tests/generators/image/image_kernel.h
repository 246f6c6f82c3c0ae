// Runs image generators on planes: under stock Halide, and on the emulated machine.
#pragma once
#include "npu_backend/compile.h"
#include "runtime/emulator/emulator.h"
#include "tests/generators/image/scalar.h"

#include <map>
#include <string>

namespace emulsion {

struct ImageKernel {
    std::string generator;
    std::map<std::string, std::string> params = {};
    int out_channels = 1;
};

/// The CPU's result.
scalar::Planes run_on_cpu(const ImageKernel &kernel, const scalar::Planes &in, int width, int height);

/// The machine's result, under the sanitizer. symbolic: compiled without extents.
scalar::Planes run_on_npu(const ImageKernel &kernel, const scalar::Planes &in, int width, int height, bool symbolic,
                          const std::string &target = "mobile");

/// Cycles and their lower bound by resource for extents that are known when compiling.
struct Speed {
    uint64_t cycles = 0, vector = 0, ext = 0;
};
Speed time_on_npu(const ImageKernel &kernel, int channels, int width, int height, const std::string &target = "mobile");

/// Noise over gradients, with runs of equal pixels and extremes.
scalar::Planes test_picture(uint64_t seed, int width, int height, int channels = 1);

void expect_equal(const scalar::Planes &got, const scalar::Planes &want);

}  // namespace emulsion
