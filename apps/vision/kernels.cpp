#include "apps/vision/kernels.h"

#include "vision_median3x3_cpu.h"
#include "vision_median3x3_npu.h"
#include "vision_sobel_cpu.h"
#include "vision_sobel_npu.h"
#include "vision_unsharp_mask_cpu.h"
#include "vision_unsharp_mask_npu.h"

#include <HalideBuffer.h>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

namespace emulsion::vision {

using image::Image;

namespace {

constexpr Kernel table[] = {
    {"median3x3", vision_median3x3_npu, vision_median3x3_cpu},
    {"unsharp_mask", vision_unsharp_mask_npu, vision_unsharp_mask_cpu},
    {"sobel", vision_sobel_npu, vision_sobel_cpu},
};

void call(const char *name, Compiled kernel, const Image &in, Image &out, int c) {
    // Halide's buffers have no read-only form; kernels do not write their inputs.
    Halide::Runtime::Buffer<uint8_t, 2> from(const_cast<uint8_t *>(in.plane(c)), in.width, in.height);
    Halide::Runtime::Buffer<uint8_t, 2> to(out.plane(c), out.width, out.height);
    if (const int code = kernel(from, to)) throw std::runtime_error(fmt::format("{} failed with code {}: {}", name, code, emulsion_last_error()));
}

void add(emulsion_report_t &sum, const emulsion_report_t &one) {
    sum.cycles += one.cycles;
    for (size_t k = 0; k < std::size(sum.busy); k++) sum.busy[k] += one.busy[k];
    sum.ext_read += one.ext_read;
    sum.ext_written += one.ext_written;
    sum.energy_pj += one.energy_pj;
}

uint64_t count_different(const Image &a, const Image &b) {
    uint64_t different = 0;
    for (size_t k = 0; k < a.bytes.size(); k++) different += a.bytes[k] != b.bytes[k];
    return different;
}

}  // namespace

std::span<const Kernel> kernels() { return table; }

Result run(const Kernel &kernel, const Image &picture) {
    const Image blank(picture.width, picture.height, picture.channels);
    Result result{.picture = blank};
    Image expected = blank;
    for (int c = 0; c < picture.channels; c++) {
        call(kernel.name, kernel.npu, picture, result.picture, c);
        emulsion_report_t report;
        if (emulsion_last_report(&report) != 0) throw std::runtime_error(fmt::format("{} left no report", kernel.name));
        add(result.report, report);
        call(kernel.name, kernel.cpu, picture, expected, c);
    }
    result.different = count_different(result.picture, expected);
    return result;
}

}  // namespace emulsion::vision
