// The kernels of the vision application, each compiled for the NPU and for the CPU.
#pragma once
#include "apps/image/image.h"
#include "runtime/device/emulsion_device.h"

#include <span>
#include <string>

namespace emulsion::vision {

/// Halide's calling convention: 0, or a negative error code.
using Compiled = int (*)(halide_buffer_t *in, halide_buffer_t *out);

struct Kernel {
    const char *name;
    Compiled npu, cpu;
};

std::span<const Kernel> kernels();

struct Result {
    image::Image picture;        ///< as the NPU made it
    emulsion_report_t report{};  ///< summed over the colour planes
    uint64_t different = 0;      ///< bytes that the CPU made otherwise
};

/// Runs a kernel on every plane of `picture` (8 bits, planar), on both machines. Throws std::runtime_error with the device's
/// message when a kernel fails.
Result run(const Kernel &kernel, const image::Image &picture);

}  // namespace emulsion::vision
