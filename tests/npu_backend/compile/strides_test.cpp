// Buffers that are parts of larger tensors. Catches: elements read or written elsewhere, a proof that asks for bytes between the
// elements or misses one of them.
#include "npu_backend/compile.h"
#include "npu_backend/verify/verify.h"
#include "runtime/device/launch.h"
#include "runtime/diag/diag.h"

#include <gtest/gtest.h>
#include <numeric>

namespace emulsion {
namespace {

using Ints = std::vector<int>;

/// A view of `memory` for the launch.
struct View {
    halide_buffer_t buffer{};
    std::vector<halide_dimension_t> dims;

    View(std::vector<int16_t> &memory, int offset, const Ints &extents, const Ints &strides) {
        for (size_t d = 0; d < extents.size(); d++) dims.emplace_back(0, extents[d], strides[d]);
        buffer.host = reinterpret_cast<uint8_t *>(memory.data() + offset);
        buffer.type = halide_type_t(halide_type_int, 16);
        buffer.dimensions = static_cast<int>(extents.size());
        buffer.dim = dims.data();
    }
};

CompileRequest copy_request(const Ints &extents, const Ints &in, const Ints &out) {
    return {.generator = "copy", .params = {{"type", "int16"}, {"rank", std::to_string(extents.size())}, {"tile_0", "16"}, {"tile_1", "4"}},
            .shapes = {{"in", extents}, {"out", extents}}, .strides = {{"in", in}, {"out", out}}};
}

struct Case {
    Ints extents, in, out;
    int in_offset, out_offset;
};

TEST(Strides, PartsOfLargerTensorsAreCopiedElementByElement) {
    const Case cases[] = {{{37, 5}, {1, 50}, {1, 64}, 3, 7},        // rows of wider tensors
                          {{37, 5}, {3, 200}, {2, 100}, 0, 1},      // every third element to every second
                          {{37, 5}, {-1, -40}, {1, 37}, 199, 0},    // backwards
                          {{37, 5}, {1, 0}, {1, 37}, 4, 0},         // one row repeated
                          {{37, 5}, {5, 1}, {1, 37}, 0, 0}};        // transposed
    const TargetDesc target = load_target("mobile");
    for (const Case &c : cases) {
        SCOPED_TRACE(testing::Message() << c.in[0] << " " << c.in[1] << " to " << c.out[0] << " " << c.out[1]);
        const Compiled compiled = compile(copy_request(c.extents, c.in, c.out), target);
        EXPECT_NE(compiled.program.certificate.checker_version, 0u);
        std::vector<int16_t> in(1200), out(600, -1), expected(600, -1);
        std::iota(in.begin(), in.end(), int16_t{0});
        for (int y = 0; y < c.extents[1]; y++)
            for (int x = 0; x < c.extents[0]; x++) expected[c.out_offset + x * c.out[0] + y * c.out[1]] = in[c.in_offset + x * c.in[0] + y * c.in[1]];
        View from(in, c.in_offset, c.extents, c.in), to(out, c.out_offset, c.extents, c.out);
        launch(compiled.program, target, bind_buffers(compiled.program, {{"in", &from.buffer}, {"out", &to.buffer}}, {}));
        EXPECT_EQ(out, expected);
    }
}

std::string code_of(const auto &body) {
    try {
        body();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "";
}

TEST(Strides, WhatAProgramMustWriteIsEveryElementAndNothingBetween) {
    const TargetDesc target = load_target("mobile");
    const Program program = compile(copy_request({16, 4}, {1, 16}, {1, 32}), target).program;
    const std::vector<RegionExtent> wanted{{0, 128, {}}, {0, 224, {{2, 16}, {64, 4}}}};
    EXPECT_EQ(code_of([&] { verify(program, target, wanted, {}); }), "");
    const std::vector<RegionExtent> more{{0, 128, {}}, {0, 224, {{2, 16}, {32, 7}}}}, less{{0, 128, {}}, {0, 224, {{2, 15}, {64, 4}}}};
    const auto is_coverage = [](const std::string &code) { return code.rfind("EM4", 0) == 0; };
    EXPECT_TRUE(is_coverage(code_of([&] { verify(program, target, more, {}); })));
    EXPECT_TRUE(is_coverage(code_of([&] { verify(program, target, less, {}); })));
}

TEST(Strides, RefusesAnOutputWhoseElementsCoincide) {
    const TargetDesc target = load_target("mobile");
    EXPECT_EQ(code_of([&] { compile(copy_request({16, 4}, {1, 16}, {1, 0}), target); }), "EM220");
    EXPECT_EQ(code_of([&] { compile(copy_request({16, 4}, {1}, {1, 16}), target); }), "EM212");
}

}  // namespace
}  // namespace emulsion
