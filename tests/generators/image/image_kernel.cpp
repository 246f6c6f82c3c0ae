#include "tests/generators/image/image_kernel.h"

#include "npu_backend/reference/reference.h"
#include "runtime/device/bind.h"
#include "runtime/emulator/timing_bound.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>

namespace emulsion {

using scalar::Planes;

namespace {

Halide::Buffer<> wrap(Planes &planes) { return Halide::Buffer<uint8_t>(planes.pixels.data(), planes.extents()); }

/// Compiling for the CPU is the slowest step: one reference is kept per kernel.
Reference &reference_of(const ImageKernel &kernel) {
    static std::map<std::pair<std::string, std::map<std::string, std::string>>, std::unique_ptr<Reference>> kept;
    auto &r = kept[{kernel.generator, kernel.params}];
    if (!r) r = std::make_unique<Reference>(CompileRequest{.generator = kernel.generator, .params = kernel.params, .shapes = {}, .scalars = {}, .parts = {}, .function_name = {}});
    return *r;
}

/// The buffers of one run, by name.
struct Buffers {
    Planes in, out;
    std::vector<uint8_t> curve = scalar::tone_curve();
    std::map<std::string, Halide::Buffer<>> inputs, outputs;

    Buffers(const ImageKernel &kernel, const Planes &picture, int width, int height)
        : in(picture), out(width, height, kernel.out_channels) {
        inputs["in"] = wrap(in);
        outputs["out"] = wrap(out);
        if (kernel.generator == "local_tone_curve") inputs["curve"] = Halide::Buffer<uint8_t>(curve.data(), std::vector<int>{256});
    }
    std::map<std::string, std::vector<int>> shapes() const {
        std::map<std::string, std::vector<int>> s{{"in", in.extents()}, {"out", out.extents()}};
        if (inputs.contains("curve")) s["curve"] = {256};
        return s;
    }
    Binding bind(const Program &program) {
        std::map<std::string, halide_buffer_t *> raw;
        for (auto *set : {&inputs, &outputs})
            for (auto &[name, b] : *set) raw[name] = b.raw_buffer();
        return bind_buffers(program, raw, {});
    }
};

Program program_of(const ImageKernel &kernel, const Buffers &buffers, bool symbolic, const TargetDesc &target) {
    CompileRequest request{.generator = kernel.generator, .params = kernel.params, .shapes = {}, .scalars = {}, .parts = {}, .function_name = {}};
    if (!symbolic) request.shapes = buffers.shapes();
    return compile(request, target).program;
}

}  // namespace

Planes run_on_cpu(const ImageKernel &kernel, const Planes &in, int width, int height) {
    Buffers b(kernel, in, width, height);
    reference_of(kernel).run(b.inputs, b.outputs);
    return b.out;
}

Planes run_on_npu(const ImageKernel &kernel, const Planes &in, int width, int height, bool symbolic, const std::string &target) {
    Buffers b(kernel, in, width, height);
    const TargetDesc machine = load_target(target);
    const Program program = program_of(kernel, b, symbolic, machine);
    const Binding binding = b.bind(program);
    interpret(program, machine, binding.regions, binding.arguments, {.schedule_seed = 7, .sanitize = true});
    return b.out;
}

Speed time_on_npu(const ImageKernel &kernel, int channels, int width, int height, const std::string &target) {
    Buffers b(kernel, Planes(width, height, channels), width, height);
    const TargetDesc machine = load_target(target);
    const Program program = program_of(kernel, b, false, machine);
    const Binding binding = b.bind(program);
    const TimingBound bound = bound_by_resource(program, machine, binding.arguments);
    return {simulate(program, machine, binding.arguments).cycles, bound.queue[static_cast<int>(Queue::VX)], bound.ext};
}

Planes test_picture(uint64_t seed, int width, int height, int channels) {
    std::mt19937_64 random(seed);
    Planes p(width, height, channels);
    for (int c = 0; c < channels; c++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const uint64_t r = random();
                const int gradient = (x * 3 + y * 5 + c * 40) & 255;
                p.at(x, y, c) = static_cast<uint8_t>(r % 4 == 0 ? r >> 8 : r % 4 == 1 ? 0 - (r >> 20 & 1) : gradient);
            }
    return p;
}

void expect_equal(const Planes &got, const Planes &want) {
    ASSERT_EQ(got.extents(), want.extents());
    for (int c = 0; c < want.channels; c++)
        for (int y = 0; y < want.height; y++)
            for (int x = 0; x < want.width; x++) ASSERT_EQ(got.at(x, y, c), want.at(x, y, c)) << "at " << x << ", " << y << ", " << c;
}

}  // namespace emulsion
