// Launches: bits through any strides, what a certificate allows, and the C ABI.
#include "runtime/device/launch.h"

#include "programs.h"
#include "runtime/device/emulsion_device.h"
#include "runtime/device/report.h"
#include "runtime/diag/diag.h"
#include "runtime/program/container.h"
#include "runtime/program/program_hash.h"

#include "HalideBuffer.h"

#include <gtest/gtest.h>

namespace emulsion::device_test {
namespace {

using Buffer = Halide::Runtime::Buffer<uint8_t>;

Buffer ramp(int extent) {
    Buffer b(extent);
    b.for_each_element([&](int x) { b(x) = static_cast<uint8_t>(3 * x + 1); });
    return b;
}

Binding bind_copy(const Program &p, Buffer &in, Buffer &out) {
    return bind_buffers(p, {{"in", in.raw_buffer()}, {"out", out.raw_buffer()}}, {});
}

Certificate certificate(const Program &p) {
    Certificate c;
    c.program_hash = program_hash(p);
    c.machine_hash = target().hash;
    c.checker_version = 1;
    return c;
}

TEST(Launch, copies_through_mins_and_strides) {
    uint8_t memory[64] = {};
    for (int i = 0; i < 64; i++) memory[i] = static_cast<uint8_t>(i);
    halide_dimension_t backwards[] = {{-2, 5, -3}};
    Buffer in(memory + 40, 1, backwards), out(5);
    out.set_min(100);
    launch(symbolic_copy(), target(), bind_copy(symbolic_copy(), in, out));
    for (int i = 0; i < 5; i++) EXPECT_EQ(out(100 + i), 40 - 3 * i);
}

TEST(Launch, an_uncertified_program_with_arguments_runs_sanitized) {
    Buffer in = ramp(8), out(8);
    const LaunchResult r = launch(symbolic_copy(), target(), bind_copy(symbolic_copy(), in, out));
    EXPECT_FALSE(r.proven);
    EXPECT_EQ(out(7), 22);
}

TEST(Launch, asks_the_verifier_when_the_certificate_does_not_cover) {
    Buffer in = ramp(8), out(8);
    int asked = 0;
    LaunchOptions options;
    options.verifier = [&](const Program &p, const TargetDesc &, const Binding &b) {
        asked++;
        EXPECT_EQ(b.arguments[0], 8);
        return certificate(p);
    };
    EXPECT_TRUE(launch(symbolic_copy(), target(), bind_copy(symbolic_copy(), in, out), options).proven);
    EXPECT_EQ(asked, 1);
}

std::string code_of(const Program &p) {
    Buffer in = ramp(8), out(8);
    try {
        launch(p, target(), bind_copy(p, in, out));
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "none";
}

TEST(Launch, a_program_without_arguments_needs_its_certificate) {
    Program p = fixed_copy(8);
    EXPECT_EQ(code_of(p), "EM556");
    p.certificate = certificate(p);
    EXPECT_EQ(code_of(p), "none");
    p.certificate.machine_hash++;
    EXPECT_EQ(code_of(p), "EM557");
}

TEST(CheckCertificate, belongs_to_one_program) {
    Program p = fixed_copy(8);
    p.certificate = certificate(p);
    EXPECT_NO_THROW(check_certificate(p));
    p.name = "another";
    try {
        check_certificate(p);
        FAIL();
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().code(), "EM557");
    }
}

TEST(Launch, a_buffer_that_is_too_small_is_a_runtime_error) {
    Program p = fixed_copy(9);
    p.certificate = certificate(p);
    EXPECT_EQ(code_of(p).substr(0, 3), "EM5");
}

TEST(Launch, times_when_asked) {
    Buffer in = ramp(8), out(8);
    LaunchOptions options;
    options.timing = TimingOptions{};
    const LaunchResult r = launch(symbolic_copy(), target(), bind_copy(symbolic_copy(), in, out), options);
    ASSERT_TRUE(r.timing);
    EXPECT_EQ(r.timing->ext_read, 8u);
    EXPECT_GT(r.timing->cycles, 0u);
    EXPECT_NE(summary_text(symbolic_copy(), target(), *r.timing).find("copy on mobile"), std::string::npos);
}

struct CAbi : testing::Test {
    CAbi() {
        const std::vector<uint8_t> bytes = write_container(symbolic_copy());
        container = Buffer(static_cast<int>(bytes.size()));
        std::copy(bytes.begin(), bytes.end(), container.begin());
        const std::string text = target().text;
        machine = Buffer(static_cast<int>(text.size()));
        std::copy(text.begin(), text.end(), machine.begin());
    }
    int launch_copy(Buffer &in, Buffer &out) {
        halide_buffer_t *buffers[] = {in.raw_buffer(), out.raw_buffer()};
        return emulsion_launch(nullptr, container.raw_buffer(), machine.raw_buffer(), buffers, 2, nullptr, 0);
    }
    Buffer container, machine;
};

TEST_F(CAbi, runs_and_reports) {
    Buffer in = ramp(8), out(8);
    ASSERT_EQ(launch_copy(in, out), 0) << emulsion_last_error();
    EXPECT_EQ(out(5), 16);
    emulsion_report_t report;
    ASSERT_EQ(emulsion_last_report(&report), 0);
    EXPECT_EQ(report.ext_written, 8u);
    EXPECT_STREQ(emulsion_last_error(), "");
}

TEST_F(CAbi, a_failure_is_a_code_and_a_message) {
    Buffer in = ramp(8), out(nullptr, 8);
    EXPECT_LT(launch_copy(in, out), 0);
    EXPECT_NE(std::string(emulsion_last_error()).find("EM552"), std::string::npos);
    emulsion_report_t report;
    EXPECT_EQ(emulsion_last_report(&report), -1);
}

TEST_F(CAbi, a_broken_container_is_a_code_and_a_message) {
    Buffer in = ramp(8), out(8);
    container.fill(0x5a);
    EXPECT_LT(launch_copy(in, out), 0);
    EXPECT_NE(std::string(emulsion_last_error()).find("EM"), std::string::npos);
}

}  // namespace
}  // namespace emulsion::device_test
