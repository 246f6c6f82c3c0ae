// Catches: elements moved to the wrong place by pad, transpose, concat and resize.
#include "generators/reference/layout.h"

#include "generators/reference/resize.h"
#include "runtime/diag/diag.h"
#include "tests/generators/run_generator.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace emulsion {
namespace {

using reference::Index;
using reference::Tensor;

TEST(Pad, EveryModeEqualsScalarReference) {
    std::mt19937 random(51);
    for (const char *mode : {"constant", "edge", "reflect", "symmetric"}) {
        const Index before{pick(random, 0, 3), pick(random, 0, 3), pick(random, 0, 2), 0};
        GeneratorRun run{.generator = "pad", .params = {{"mode", mode}, {"value", "-7"}, {"type", "int16"}}, .out_extents = {13, 12, 9, 2}};
        for (int d = 0; d < 4; d++) run.params["before_" + std::to_string(d)] = std::to_string(before[d]);
        run.inputs["in"] = random_integers(random, {6, 5, 4, 2}, -1000, 1000);
        SCOPED_TRACE(mode);
        expect_equal(run_generator(run), reference::pad(run.inputs["in"], before, run.out_extents, mode, -7));
    }
}

TEST(Transpose, EveryPermutationEqualsScalarReference) {
    std::mt19937 random(52);
    std::string digits = "0123";
    do {
        GeneratorRun run{.generator = "transpose", .params = {{"permutation", digits}, {"type", "float32"}}};
        run.inputs["in"] = random_reals(random, {5, 4, 3, 2});
        Index from;
        for (char d : digits) from.push_back(d - '0');
        const Tensor expected = reference::transpose(run.inputs["in"], from);
        run.out_extents = expected.extents;
        SCOPED_TRACE(digits);
        expect_equal(run_generator(run), expected);
    } while (std::next_permutation(digits.begin(), digits.end()));
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
    for (const char *digits : {"0012", "013", "0129", ""}) {
        GeneratorRun run{.generator = "transpose", .params = {{"permutation", digits}}, .inputs = {{"in", Tensor({1, 1, 1, 1})}}, .out_extents = {1, 1, 1, 1}};
        try {
            run_generator(run);
            FAIL() << digits;
        } catch (const Error &e) {
            EXPECT_EQ(e.diagnostic().code(), "EM203");
        }
    }
}

TEST(Concat, EveryAxisAndCountEqualsScalarReference) {
    std::mt19937 random(53);
    for (int axis = 0; axis < 4; axis++) {
        for (int count = 2; count <= 4; count++) {
            GeneratorRun run{.generator = "concat", .params = {{"axis", std::to_string(axis)}, {"count", std::to_string(count)}}};
            std::vector<Tensor> inputs;
            for (int n = 0; n < count; n++) {
                Index extents{4, 3, 2, 2};
                extents[axis] = pick(random, 1, 6);
                inputs.push_back(random_integers(random, extents, -128, 127));
                run.inputs["in" + std::to_string(n)] = inputs.back();
            }
            const Tensor expected = reference::concat(inputs, axis);
            run.out_extents = expected.extents;
            expect_equal(run_generator(run), expected);
        }
    }
}

struct Sizes {
    int in_x, in_y, out_x, out_y;
};
constexpr Sizes sizes[] = {{7, 5, 14, 15}, {9, 11, 4, 5}, {6, 6, 1, 1}, {1, 1, 5, 3}, {13, 8, 37, 8}};
constexpr reference::ResizeMode modes[] = {{false, false}, {true, false}, {false, true}};

using Resizer = Tensor (*)(const Tensor &, int, int, const reference::ResizeMode &);

void check_resize(const char *generator, const char *type, Resizer reference, double tolerance) {
    std::mt19937 random(54);
    for (const Sizes &s : sizes) {
        for (const reference::ResizeMode &m : modes) {
            GeneratorRun run{.generator = generator, .params = {{"type", type}}};
            run.params.insert({{"in_x", std::to_string(s.in_x)}, {"in_y", std::to_string(s.in_y)}, {"out_x", std::to_string(s.out_x)}, {"out_y", std::to_string(s.out_y)},
                               {"half_pixel_centers", m.half_pixel_centers ? "true" : "false"}, {"align_corners", m.align_corners ? "true" : "false"}});
            run.inputs["in"] = random_integers(random, {3, s.in_x, s.in_y, 2}, -128, 127);
            run.out_extents = {3, s.out_x, s.out_y, 2};
            SCOPED_TRACE(testing::Message() << s.in_x << "x" << s.in_y << " to " << s.out_x << "x" << s.out_y << " half " << m.half_pixel_centers << " align " << m.align_corners);
            expect_equal(run_generator(run), reference(run.inputs["in"], s.out_x, s.out_y, m), tolerance);
        }
    }
}

TEST(ResizeNearest, EqualsScalarReference) { check_resize("resize_nearest", "int8", reference::resize_nearest, 0); }
TEST(ResizeBilinear, IntegerEqualsScalarReference) { check_resize("resize_bilinear", "int8", reference::resize_bilinear_integer, 0); }
TEST(ResizeBilinear, FloatEqualsScalarReference) { check_resize("resize_bilinear", "float32", reference::resize_bilinear_float, reference::resize_tolerance); }

}  // namespace
}  // namespace emulsion
