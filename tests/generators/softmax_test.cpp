// Catches: unnormalised or shifted rows, fixed-point slips of the integer softmax, wrong variance.
#include "generators/reference/softmax.h"

#include "generators/tables.h"
#include "tests/generators/run_generator.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using reference::Tensor;

TEST(Softmax, FloatEqualsScalarReference) {
    std::mt19937 random(41);
    GeneratorRun run{.generator = "softmax", .params = {{"type", "float32"}, {"beta", "1.5"}}, .out_extents = {77, 5}};
    run.inputs["in"] = random_reals(random, {77, 5});
    expect_equal(run_generator(run), reference::softmax(run.inputs["in"], 1.5), reference::softmax_tolerance);
}

void check_integer(const char *type, int lo, int n, double scale) {
    std::mt19937 random(42);
    GeneratorRun run{.generator = "softmax", .params = {{"type", type}}, .out_extents = {n, 4}};
    run.inputs["in"] = random_integers(random, {n, 4}, lo, lo + 255);
    const auto entries = generators::softmax_table(scale);
    run.inputs["table"] = Tensor({256});
    for (int d = 0; d < 256; d++) run.inputs["table"]({d}) = entries[d];
    const Tensor exact = reference::softmax(run.inputs["in"], scale), got = run_generator(run);
    for (size_t i = 0; i < got.values.size(); i++)
        ASSERT_NEAR(got.values[i], std::min(255.0, exact.values[i] * 256) + lo, reference::softmax_integer_tolerance) << type << " element " << i;
}

TEST(Softmax, IntegerIsWithinOneOfTheExactValue) {
    check_integer("int8", -128, 10, 0.1);
    check_integer("uint8", 0, 300, 0.02);
    check_integer("int8", -128, 1, 0.5);
}

// 2^-22 of one: TFLite drops what is smaller, and its polynomial is that exact.
TEST(SoftmaxTable, IsTheExponentialInQ31) {
    for (const double scale : {0.004, 0.1, 1.0}) {
        const auto table = generators::softmax_table(scale);
        EXPECT_EQ(table[0], INT32_MAX);
        for (int d = 1; d < 256; d++)
            EXPECT_NEAR(table[d], std::exp(-d * scale) * 2147483648.0, 512) << d << " * " << scale;
    }
}

TEST(LayerNorm, EqualsScalarReference) {
    std::mt19937 random(43);
    GeneratorRun run{.generator = "layer_norm", .out_extents = {61, 7}};
    run.inputs = {{"in", random_reals(random, {61, 7})}, {"gamma", random_reals(random, {61})}, {"beta", random_reals(random, {61})}};
    expect_equal(run_generator(run), reference::layer_norm(run.inputs["in"], run.inputs["gamma"], run.inputs["beta"], 1e-5), reference::layer_norm_tolerance);
}

}  // namespace
}  // namespace emulsion
