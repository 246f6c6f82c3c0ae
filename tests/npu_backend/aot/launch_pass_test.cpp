// What the pass must keep (Halide's own argument checks) and what the device is handed.
#include "npu_backend/aot/launch_pass.h"

#include "runtime/device/emulsion_device.h"

#include <gtest/gtest.h>

namespace {

struct Seen {
    std::string container, machine;
    std::vector<halide_buffer_t *> buffers;
    std::vector<int64_t> scalars;
    int launches = 0, answer = 0;
} seen;

std::string text(const halide_buffer_t *b) { return {b->host, b->host + b->dim[0].extent}; }

}  // namespace

// Stands in for the device: the JIT finds it among this program's symbols.
extern "C" int emulsion_launch(void *, const halide_buffer_t *container, const halide_buffer_t *machine,
                               halide_buffer_t *const *buffers, int32_t buffer_count, const int64_t *scalars,
                               int32_t scalar_count) {
    seen = {text(container), text(machine), {buffers, buffers + buffer_count}, {scalars, scalars + scalar_count},
            seen.launches + 1, seen.answer};
    return seen.answer;
}

namespace emulsion {
namespace {

using namespace Halide;

class LaunchPassTest : public testing::Test {
protected:
    LaunchPassTest() {
        seen = {};
        stage(x) = cast<int32_t>(in(x)) + k;
        stage.compute_root();
        out(x) = stage(x) + stage(x + 1);
        pipeline = Pipeline(out);
        LaunchCall call{"kernel", {1, 2, 3}, "machine text", {"in", out.name()}, {{"k", Int(32)}, {"scale", Float(32)}}, {}};
        pipeline.add_custom_lowering_pass(new LaunchPass(call));
        in.dim(0).set_bounds(0, 9);
        in.set(source);
        k.set(-7);
        // `scale` is used by nothing the pass keeps; a requirement gives the function that argument.
        scale.set(1.5f);
        pipeline.add_requirement(scale > 0.0f);
    }

    Var x{"x"};
    ImageParam in{UInt(8), 1, "in"};
    Param<int32_t> k{"k"};
    Param<float> scale{"scale"};
    Func stage{"stage"}, out{"out"};
    Buffer<uint8_t> source{9};
    Pipeline pipeline;
};

TEST_F(LaunchPassTest, hands_the_device_program_machine_buffers_and_scalars) {
    Buffer<int32_t> result(8);
    pipeline.realize(result);
    EXPECT_EQ(seen.launches, 1);
    EXPECT_EQ(seen.container, std::string("\1\2\3"));
    EXPECT_EQ(seen.machine, "machine text");
    ASSERT_EQ(seen.buffers.size(), 2u);
    EXPECT_EQ(seen.buffers[0]->host, source.data());
    EXPECT_EQ(reinterpret_cast<int32_t *>(seen.buffers[1]->host), result.data());
    EXPECT_EQ(seen.scalars, (std::vector<int64_t>{-7, 0x3fc00000}));
}

TEST_F(LaunchPassTest, a_failed_launch_is_the_functions_result) {
    seen.answer = -1;
    Buffer<int32_t> result(8);
    EXPECT_THROW(pipeline.realize(result), Halide::RuntimeError);
}

TEST_F(LaunchPassTest, halides_argument_checks_come_first) {
    Buffer<int32_t> too_large(9);  // needs in(9), which the buffer does not have
    EXPECT_THROW(pipeline.realize(too_large), Halide::RuntimeError);
    EXPECT_EQ(seen.launches, 0);
}

TEST_F(LaunchPassTest, a_bounds_query_does_not_launch) {
    in.reset();
    pipeline.infer_input_bounds({5});
    EXPECT_EQ(in.get().width(), 9);
    EXPECT_EQ(seen.launches, 0);
}

}  // namespace
}  // namespace emulsion
