// Stitched groups give the bits of their parts run one after the other by stock Halide, with fewer bytes moved than by the parts
// as programs of their own. Would catch: a part wired to the wrong input, parameters of two parts mixed up, a stage of one part
// scheduled outside the group's tiles.
#include "npu_backend/compile.h"
#include "npu_backend/reference/reference.h"
#include "runtime/device/launch.h"
#include "runtime/diag/diag.h"

#include <gtest/gtest.h>

#include <random>

namespace emulsion {
namespace {

using Shape = std::vector<int>;
using Params = std::map<std::string, std::string>;

struct TestPart {
    GroupPart row;
    std::map<std::string, Shape> shapes;  ///< of every argument, "out" among them
    std::map<std::string, int64_t> scalars = {};
};

/// Small random values; multipliers and shifts of scales below 1.
Halide::Buffer<> random_buffer(const Signature &s, const Shape &extents, std::mt19937 &random) {
    Halide::Buffer<> b(s.type, extents);
    const auto fill = [&](auto *data, int64_t lo, int64_t hi) {
        for (size_t k = 0; k < b.number_of_elements(); k++) data[k] = static_cast<std::remove_reference_t<decltype(*data)>>(lo + static_cast<int64_t>(random() % (hi - lo + 1)));
    };
    if (s.type == Halide::Int(8)) fill(static_cast<int8_t *>(b.data()), -128, 127);
    else if (s.type == Halide::UInt(8)) fill(static_cast<uint8_t *>(b.data()), 0, 255);
    else if (s.name == "multiplier") fill(static_cast<int32_t *>(b.data()), 1 << 30, INT32_MAX);
    else if (s.name == "shift") fill(static_cast<int32_t *>(b.data()), 37, 40);
    else fill(static_cast<int32_t *>(b.data()), -3000, 3000);
    return b;
}

struct Sums {
    uint64_t cycles = 0, bytes = 0;
    void add(const TimingReport &t) { cycles += t.cycles, bytes += t.ext_read + t.ext_written; }
};

void check_group(const std::vector<TestPart> &parts, const std::string &machine, unsigned seed) {
    std::mt19937 random(seed);
    const TargetDesc target = load_target(machine);
    CompileRequest group{.generator = "group"};
    NamedBuffers group_buffers;
    Halide::Buffer<> previous;
    Sums apart, together;
    for (size_t k = 0; k < parts.size(); k++) {
        const TestPart &p = parts[k];
        group.parts.push_back(p.row);
        const CompileRequest own{.generator = p.row.generator, .params = p.row.params, .shapes = p.shapes, .scalars = p.scalars};
        Reference reference(own);
        NamedBuffers in, out;
        for (const Signature &s : reference.signature()) {
            if (s.kind == Signature::Kind::scalar) continue;
            if (s.kind == Signature::Kind::output) {
                out[s.name] = Halide::Buffer<>(s.type, p.shapes.at(s.name));
                continue;
            }
            const std::string name = "p" + std::to_string(k) + "_" + s.name;
            group.shapes[name] = p.shapes.at(s.name);
            if (s.name == p.row.input) in[s.name] = previous;
            else in[s.name] = group_buffers[name] = random_buffer(s, p.shapes.at(s.name), random);
        }
        for (const auto &[name, value] : p.scalars) group.scalars["p" + std::to_string(k) + "_" + name] = value;
        reference.run(in, out, p.scalars);
        previous = out.at("out");
        apart.add(simulate(compile(own, target).program, target, {}));
    }
    group.shapes["out"] = parts.back().shapes.at("out");
    const Program program = compile(group, target).program;
    together.add(simulate(program, target, {}));
    Halide::Buffer<> out(previous.type(), group.shapes["out"]);
    std::map<std::string, halide_buffer_t *> bound{{"out", out.raw_buffer()}};
    for (auto &[name, buffer] : group_buffers) bound[name] = buffer.raw_buffer();
    launch(program, target, bind_buffers(program, bound, {}));
    const size_t bytes = out.size_in_bytes();
    EXPECT_EQ(std::memcmp(out.data(), previous.data(), bytes), 0) << machine << " seed " << seed;
    EXPECT_LT(together.bytes, apart.bytes);
    // A producer shares the array with its consumer: whether that is faster too is for the graph to measure.
    if (parts[0].row.anchor) {
        EXPECT_LT(together.cycles, apart.cycles);
    }
}

TestPart conv(int ci, int co, int kernel, int w, int h, Params more = {}, bool anchor = true, std::string input = "") {
    Params params{{"kernel_x", std::to_string(kernel)}, {"kernel_y", std::to_string(kernel)}, {"pad_x", std::to_string(kernel / 2)},
                  {"pad_y", std::to_string(kernel / 2)}, {"in_zero", "-5"}, {"out_zero", "3"}};
    params.merge(more);
    return {{"conv2d", params, input, anchor},
            {{"in", {ci, w, h, 1}}, {"weights", {co, ci, kernel, kernel}}, {"bias", {co}}, {"multiplier", {co}}, {"shift", {co}}, {"out", {co, w, h, 1}}}};
}

TestPart depthwise(int c, int w, int h, bool anchor) {
    return {{"depthwise_conv2d", {{"pad_x", "1"}, {"pad_y", "1"}, {"in_zero", "7"}, {"out_zero", "-5"}, {"rounding", "double"}}, "", anchor},
            {{"in", {c, w, h, 1}}, {"weights", {c, 3, 3}}, {"bias", {c}}, {"multiplier", {c}}, {"shift", {c}}, {"out", {c, w, h, 1}}}};
}

TestPart residual(int c, int w, int h, const std::string &input) {
    const Shape s{c, w, h, 1};
    return {{"add", {{"rank", "4"}, {"quantized", "true"}, {"a_zero", "3"}, {"b_zero", "3"}, {"out_zero", "-1"}, {"out_min", "-100"}, {"out_max", "120"}}, input, false},
            {{"a", s}, {"b", s}, {"out", s}},
            {{"a_multiplier", 1073741824}, {"a_shift", 31}, {"b_multiplier", 1600000000}, {"b_shift", 31}, {"out_multiplier", 1500000000}, {"out_shift", 49}}};
}

class Stitch : public testing::TestWithParam<const char *> {};

TEST_P(Stitch, ConvolutionAndResidualAdd) {
    check_group({conv(24, 40, 3, 19, 13), residual(40, 19, 13, "a")}, GetParam(), 1);
    check_group({conv(64, 64, 3, 56, 14), residual(64, 56, 14, "b")}, GetParam(), 2);
}

TEST_P(Stitch, TwoEpilogues) { check_group({conv(16, 24, 1, 17, 11), residual(24, 17, 11, "a"), residual(24, 17, 11, "b")}, GetParam(), 3); }

TEST_P(Stitch, DepthwiseAndPointwise) {
    check_group({depthwise(32, 23, 17, false), conv(32, 24, 1, 23, 17, {{"in_at", "tile"}}, true, "in")}, GetParam(), 4);
    check_group({depthwise(96, 28, 28, false), conv(96, 24, 1, 28, 28, {{"in_at", "tile"}, {"weights_at", "root"}}, true, "in")}, GetParam(), 5);
}

TEST_P(Stitch, DepthwisePointwiseAndAdd) {
    check_group({depthwise(48, 20, 15, false), conv(48, 24, 1, 20, 15, {{"in_at", "tile"}}, true, "in"), residual(24, 20, 15, "a")}, GetParam(), 6);
}

INSTANTIATE_TEST_SUITE_P(Machines, Stitch, testing::Values("edge-256", "mobile"), [](const auto &info) {
    std::string name = info.param;
    std::erase(name, '-');
    return name;
});

std::string code_of(const std::function<void()> &f) {
    try {
        f();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "none";
}

TEST(StitchErrors, PartsThatDoNotFit) {
    const TargetDesc target = load_target("mobile");
    const GroupPart anchor{"conv2d", {}, "", true}, pool{"max_pool", {}, "in", false};
    EXPECT_EQ(code_of([&] { compile({.generator = "g", .parts = {{"conv2d", {}, "", false}}}, target); }), "EM219");  // stitch_parts: no anchor
    EXPECT_EQ(code_of([&] { compile({.generator = "g", .parts = {anchor, {"add", {{"rank", "4"}}, "c", false}}}, target); }), "EM219");
    EXPECT_EQ(code_of([&] { compile({.generator = "g", .parts = {anchor, pool}}, target); }), "EM218");  // stitch_role
}

}  // namespace
}  // namespace emulsion
