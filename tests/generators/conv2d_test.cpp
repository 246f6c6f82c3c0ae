// Catches: wrong window geometry, groups, channel multiplier, padding value or phase in the convolutions.
#include "generators/reference/conv2d.h"

#include "tests/generators/contraction_case.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using reference::Index;
using reference::Tensor;

reference::Window random_window(std::mt19937 &random, bool dilated, Params &params) {
    const reference::Window w{.kernel_x = pick(random, 1, 4), .kernel_y = pick(random, 1, 4), .stride_x = pick(random, 1, 3),
                              .stride_y = pick(random, 1, 3), .dilation_x = dilated ? pick(random, 1, 2) : 1,
                              .dilation_y = dilated ? pick(random, 1, 3) : 1, .pad_x = pick(random, 0, 2), .pad_y = pick(random, 0, 2)};
    const std::pair<const char *, int> fields[] = {{"kernel_x", w.kernel_x}, {"kernel_y", w.kernel_y}, {"stride_x", w.stride_x},
                                                   {"stride_y", w.stride_y}, {"dilation_x", w.dilation_x}, {"dilation_y", w.dilation_y},
                                                   {"pad_x", w.pad_x}, {"pad_y", w.pad_y}};
    for (const auto &[name, value] : fields) params[name] = std::to_string(value);
    return w;
}

void check_conv(unsigned seed, int max_groups) {
    std::mt19937 random(seed);
    for (const ContractionCase &c : contraction_cases) {
        GeneratorRun run{.generator = "conv2d"};
        const reference::Window w = random_window(random, true, run.params);
        const int groups = pick(random, max_groups > 1 ? 2 : 1, max_groups), group_in = pick(random, 1, 9), group_out = pick(random, 1, 9);
        const Tensor in = random_operand(random, c, {groups * group_in, pick(random, 3, 12), pick(random, 3, 12), pick(random, 1, 2)});
        const Tensor weights = random_operand(random, c, {groups * group_out, group_in, w.kernel_x, w.kernel_y});
        run.out_extents = {groups * group_out, pick(random, 1, 7), pick(random, 1, 7), in.extents[3]};
        const reference::OutputStage stage = random_stage(random, c, run.out_extents[0], run);
        if (groups > 1) {
            run.params["group_in"] = std::to_string(group_in);
            run.params["group_out"] = std::to_string(group_out);
        }
        const Tensor expected = reference::conv2d(in, weights, w, groups, run.out_extents, zero_of(run, "in_zero"),
                                                  zero_of(run, "weight_zero"), stage);
        run.inputs["in"] = in;
        run.inputs["weights"] = weights;
        SCOPED_TRACE(c.type + " " + c.out_type + " " + c.rounding);
        expect_equal(run_generator(run), expected, c.tolerance() * group_in * w.kernel_x * w.kernel_y);
    }
}

TEST(Conv2d, EqualsScalarReference) { check_conv(11, 1); }
TEST(Conv2d, GroupsEqualScalarReference) { check_conv(12, 4); }

void check_depthwise(unsigned seed, int max_multiplier) {
    std::mt19937 random(seed);
    for (const ContractionCase &c : contraction_cases) {
        GeneratorRun run{.generator = "depthwise_conv2d"};
        const reference::Window w = random_window(random, true, run.params);
        const int multiplier = pick(random, max_multiplier > 1 ? 2 : 1, max_multiplier), channels = pick(random, 1, 20);
        const Tensor in = random_operand(random, c, {channels, pick(random, 3, 12), pick(random, 3, 12), pick(random, 1, 2)});
        const Tensor weights = random_operand(random, c, {channels * multiplier, w.kernel_x, w.kernel_y});
        run.out_extents = {channels * multiplier, pick(random, 1, 7), pick(random, 1, 7), in.extents[3]};
        const reference::OutputStage stage = random_stage(random, c, run.out_extents[0], run);
        run.params["multiplier_c"] = std::to_string(multiplier);
        const Tensor expected = reference::depthwise_conv2d(in, weights, w, multiplier, run.out_extents, zero_of(run, "in_zero"),
                                                            zero_of(run, "weight_zero"), stage);
        run.inputs["in"] = in;
        run.inputs["weights"] = weights;
        SCOPED_TRACE(c.type + " " + c.out_type + " " + c.rounding);
        expect_equal(run_generator(run), expected, c.tolerance() * w.kernel_x * w.kernel_y);
    }
}

TEST(DepthwiseConv2d, EqualsScalarReference) { check_depthwise(13, 1); }
TEST(DepthwiseConv2d, ChannelMultiplierEqualsScalarReference) { check_depthwise(14, 4); }

TEST(TransposeConv2d, EqualsScalarReference) {
    std::mt19937 random(15);
    for (const ContractionCase &c : contraction_cases) {
        GeneratorRun run{.generator = "transpose_conv2d"};
        const reference::Window w = random_window(random, false, run.params);
        const Tensor in = random_operand(random, c, {pick(random, 1, 9), pick(random, 1, 6), pick(random, 1, 6), pick(random, 1, 2)});
        const Tensor weights = random_operand(random, c, {pick(random, 1, 9), in.extents[0], w.kernel_x, w.kernel_y});
        run.out_extents = {weights.extents[0], pick(random, 1, 14), pick(random, 1, 14), in.extents[3]};
        const reference::OutputStage stage = random_stage(random, c, run.out_extents[0], run);
        const Tensor expected = reference::transpose_conv2d(in, weights, w, run.out_extents, zero_of(run, "in_zero"),
                                                            zero_of(run, "weight_zero"), stage);
        run.inputs["in"] = in;
        run.inputs["weights"] = weights;
        SCOPED_TRACE(c.type + " " + c.out_type + " " + c.rounding);
        expect_equal(run_generator(run), expected, c.tolerance() * in.extents[0] * w.kernel_x * w.kernel_y);
    }
}

}  // namespace
}  // namespace emulsion
