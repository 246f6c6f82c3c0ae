// Libraries compiled ahead of time: the function, its _argv and _metadata, bounds queries and errors, against the CPU's.
#include "add_tuned.h"
#include "mix_cpu.h"
#include "mix_fixed.h"
#include "mix_free.h"
#include "runtime/device/emulsion_device.h"

#include "HalideBuffer.h"

#include <gtest/gtest.h>
#include <string>

namespace {

using Pixels = Halide::Runtime::Buffer<uint8_t, 2>;
using Result = Halide::Runtime::Buffer<int16_t, 2>;

std::string last_message;
void remember(void *, const char *message) { last_message = message; }

struct Libraries : testing::Test {
    Libraries() : a(70, 30), b(70, 30), out(70, 30), want(70, 30) {
        halide_set_error_handler(remember);
        last_message.clear();
        a.for_each_element([&](int x, int y) { a(x, y) = static_cast<uint8_t>(31 * x + y); });
        b.for_each_element([&](int x, int y) { b(x, y) = static_cast<uint8_t>(x * y); });
        out.fill(-1);
        EXPECT_EQ(mix_cpu(a, b, -129, 0.75f, want), 0);
    }
    void expect_equal() {
        out.for_each_element([&](int x, int y) { ASSERT_EQ(out(x, y), want(x, y)) << x << ", " << y; });
    }
    Pixels a, b;
    Result out, want;
};

TEST_F(Libraries, fixed_shapes_equal_the_cpu) {
    ASSERT_EQ(mix_fixed(a, b, -129, 0.75f, out), 0) << last_message;
    expect_equal();
}

TEST_F(Libraries, free_shapes_equal_the_cpu) {
    ASSERT_EQ(mix_free(a, b, -129, 0.75f, out), 0) << last_message;
    expect_equal();
}

TEST_F(Libraries, free_shapes_take_crops_with_their_mins) {
    Result crop = out.cropped(0, 11, 40).cropped(1, 3, 20);
    ASSERT_EQ(mix_free(a, b, -129, 0.75f, crop), 0) << last_message;
    crop.for_each_element([&](int x, int y) { ASSERT_EQ(crop(x, y), want(x, y)) << x << ", " << y; });
    EXPECT_EQ(out(10, 3), -1);
    EXPECT_EQ(out(51, 3), -1);
}

TEST_F(Libraries, argv_takes_the_same_arguments) {
    int32_t k = -129;
    float scale = 0.75f;
    void *arguments[] = {a.raw_buffer(), b.raw_buffer(), &k, &scale, out.raw_buffer()};
    ASSERT_EQ(mix_free_argv(arguments), 0) << last_message;
    expect_equal();
}

TEST_F(Libraries, metadata_names_arguments) {
    const halide_filter_metadata_t *m = mix_free_metadata();
    EXPECT_STREQ(m->name, "mix_free");
    ASSERT_EQ(m->num_arguments, 5);
    const char *names[] = {"a", "b", "k", "scale", "out"};
    for (int i = 0; i < 5; i++) EXPECT_STREQ(m->arguments[i].name, names[i]);
}

TEST_F(Libraries, a_bounds_query_says_what_inputs_are_needed) {
    Pixels unknown_a(nullptr, 0, 0), unknown_b(nullptr, 0, 0);
    ASSERT_EQ(mix_free(unknown_a, unknown_b, 1, 1, out), 0) << last_message;
    EXPECT_EQ(unknown_a.width(), 70);
    EXPECT_EQ(unknown_b.height(), 30);
}

TEST_F(Libraries, argument_checks_are_halides) {
    Pixels small(69, 30), large(71, 30);
    EXPECT_EQ(mix_free(small, b, 1, 1, out), halide_error_code_access_out_of_bounds);
    EXPECT_EQ(mix_fixed(large, b, 1, 1, out), halide_error_code_constraint_violated) << last_message;
}

TEST_F(Libraries, the_device_reports) {
    ASSERT_EQ(mix_fixed(a, b, -129, 0.75f, out), 0) << last_message;
    emulsion_report_t report;
    ASSERT_EQ(emulsion_last_report(&report), 0);
    EXPECT_EQ(report.ext_read, 2u * 70 * 30);
    EXPECT_EQ(report.ext_written, 2u * 70 * 30);
}

// Would catch: a parameter of the schedule file that does not reach the generator.
TEST(ScheduleFile, RunsAsFastAsItSays) {
    Halide::Runtime::Buffer<int8_t, 2> a(512, 12), b(512, 12), out(512, 12);
    a.for_each_element([&](int x, int y) { a(x, y) = static_cast<int8_t>(x % 50 + y); });
    b.for_each_element([&](int x, int y) { b(x, y) = static_cast<int8_t>(3 * y - x % 20); });
    ASSERT_EQ(add_tuned(a, b, out), 0);
    out.for_each_element([&](int x, int y) { ASSERT_EQ(out(x, y), a(x, y) + b(x, y)) << x << ", " << y; });
    emulsion_report_t report;
    ASSERT_EQ(emulsion_last_report(&report), 0);
    EXPECT_EQ(report.cycles, ADD_TUNED_CYCLES);
}

}  // namespace
