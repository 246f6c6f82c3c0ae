// The mutation test on what the compiler emits: every harmful mutant of these kernels must be refused.
#include "npu_backend/compile.h"
#include "tests/npu_backend/verify/mutation_harness.h"

#include <gtest/gtest.h>
#include <iostream>

namespace emulsion::test {
namespace {

using Params = std::map<std::string, std::string>;
using Shapes = std::map<std::string, std::vector<int>>;

struct Kernel {
    const char *generator;
    Params params;
    Shapes shapes;
};

// Several tiles in every direction, ragged ones too, so that rings turn and the last tile differs. The sizes leave no
// room inside a buffer or picture for an operand to move: a mutant that reads other bytes that are written, ordered and
// in range is a safe program that computes something else, and no verifier of memory can tell it from what was meant.
const std::vector<Kernel> kernels = {
    {"matmul",
     {{"tile_n", "8"}, {"tile_m", "8"}, {"tile_k", "8"}},
     {{"a", {40, 20}}, {"b", {20, 40}}, {"out", {20, 20}}, {"bias", {20}}, {"multiplier", {20}}, {"shift", {20}}}},
    {"conv2d",
     {{"kernel_x", "3"}, {"kernel_y", "3"}, {"pad_x", "1"}, {"pad_y", "1"}, {"tile_y", "3"}, {"tile_x", "8"}},
     {{"in", {8, 12, 12, 1}},
      {"weights", {8, 3, 3, 8}},
      {"out", {8, 12, 12, 1}},
      {"bias", {8}},
      {"multiplier", {8}},
      {"shift", {8}}}},
    {"depthwise_conv2d",
     {{"kernel_x", "3"}, {"kernel_y", "3"}, {"pad_x", "1"}, {"pad_y", "1"}, {"tile_y", "3"}},
     {{"in", {8, 12, 12, 1}},
      {"weights", {8, 3, 3}},
      {"out", {8, 12, 12, 1}},
      {"bias", {8}},
      {"multiplier", {8}},
      {"shift", {8}}}},
    {"max_pool", {{"tile_y", "3"}}, {{"in", {8, 13, 13, 1}}, {"out", {8, 11, 11, 1}}}},
    {"softmax", {{"type", "float32"}, {"tile_j", "2"}}, {{"in", {16, 10}}, {"out", {16, 10}}}},
    {"pad", {{"before_1", "1"}, {"tile_1", "3"}}, {{"in", {8, 9, 9, 1}}, {"out", {8, 10, 9, 1}}}},
    {"transpose",
     {{"permutation", "1023"}, {"tile_0", "8"}, {"tile_1", "4"}, {"tile_in", "8"}},
     {{"in", {16, 20, 3, 1}}, {"out", {20, 16, 3, 1}}}},
    {"average_pool", {{"tile_y", "3"}}, {{"in", {8, 13, 13, 1}}, {"out", {8, 11, 11, 1}}}},
    {"resize_bilinear",
     {{"in_x", "9"}, {"in_y", "9"}, {"out_x", "18"}, {"out_y", "18"}, {"tile_c", "4"}, {"tile_x", "6"}, {"tile_y", "4"}},
     {{"in", {4, 9, 9, 1}}, {"out", {4, 18, 18, 1}}}},
    {"gaussian_blur", {{"tile_x", "16"}, {"tile_y", "8"}}, {{"in", {48, 24}}, {"out", {48, 24}}}},
    {"sobel", {{"tile_x", "16"}, {"tile_y", "8"}}, {{"in", {48, 24}}, {"out", {48, 24}}}},
    {"maximum", {{"tile_0", "16"}}, {{"a", {200}}, {"b", {200}}, {"out", {200}}}},
};

HandProgram compile_kernel(const Kernel &k, const TargetDesc &target) {
    HandProgram h;
    h.program = compile({.generator = k.generator, .params = k.params, .shapes = k.shapes}, target).program;
    for (const Region &r : h.program.regions) {
        int64_t bytes = r.bytes;
        if (const auto shape = k.shapes.find(r.name); shape != k.shapes.end()) {
            bytes = info(r.type).bytes;
            for (int e : shape->second) bytes *= e;
        }
        h.region_bytes.push_back(bytes);
    }
    return h;
}

TEST(CompiledMutation, EveryHarmfulMutantIsRefused) {
    const TargetDesc target = load_target("edge-64");
    MutationReport report;
    for (const Kernel &k : kernels) {
        const HandProgram h = compile_kernel(k, target);
        EXPECT_TRUE(accepted(h, target)) << k.generator;
        try_mutants(h, target, report);
    }
    std::cout << report.table();
    for (const std::string &e : report.escaped) ADD_FAILURE() << "accepted although harmful: " << e;
    EXPECT_GE(report.total().harmful, 200);
}

}  // namespace
}  // namespace emulsion::test
