// Tensors of the command: sources, NumPy files, comparison, and how a run's extents are completed.
#include "apps/emulsion/difference.h"
#include "apps/emulsion/kernel_run.h"
#include "apps/emulsion/npy.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/tensor.h"
#include "runtime/diag/diag.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

namespace emulsion::command {
namespace {

using Halide::Buffer;
using Kind = Signature::Kind;

template<typename Body>
std::string code_of(Body body) {
    try {
        body();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "none";
}

std::string temporary(const std::string &name) { return (std::filesystem::path(testing::TempDir()) / name).string(); }

Signature tensor(Halide::Type type, int dimensions) { return {"t", Kind::input, type, dimensions, {}}; }

TEST(TensorSource, random_repeats_and_covers_the_whole_type) {
    const Buffer<int8_t> a = TensorSource("random:7").make(tensor(Halide::Int(8), 1), {4096});
    const Buffer<int8_t> again = TensorSource("random:7").make(tensor(Halide::Int(8), 1), {4096});
    const Buffer<int8_t> other = TensorSource("random:8").make(tensor(Halide::Int(8), 1), {4096});
    int lowest = 0, highest = 0, same = 0;
    for (int i = 0; i < 4096; i++) {
        EXPECT_EQ(a(i), again(i));
        same += a(i) == other(i);
        lowest = std::min<int>(lowest, a(i));
        highest = std::max<int>(highest, a(i));
    }
    EXPECT_EQ(lowest, -128);
    EXPECT_EQ(highest, 127);
    EXPECT_LT(same, 100);
}

TEST(TensorSource, random_takes_limits) {
    const Buffer<int32_t> a = TensorSource("random:1:-3:5").make(tensor(Halide::Int(32), 1), {1000});
    for (int i = 0; i < 1000; i++) EXPECT_TRUE(a(i) >= -3 && a(i) <= 5);
}

TEST(TensorSource, constants_of_every_kind) {
    EXPECT_EQ(Buffer<int16_t>(TensorSource("constant:-5").make(tensor(Halide::Int(16), 1), {3}))(2), -5);
    EXPECT_EQ(Buffer<float>(TensorSource("constant:0.5").make(tensor(Halide::Float(32), 1), {3}))(2), 0.5f);
    EXPECT_EQ(Buffer<uint8_t>(TensorSource("zero").make(tensor(Halide::UInt(8), 1), {3}))(2), 0);
    EXPECT_EQ(Buffer<uint8_t>(TensorSource("ramp").make(tensor(Halide::UInt(8), 1), {300}))(252), 1);
}

TEST(TensorSource, refuses_other_words) {
    for (const char *text : {"", "randm:1", "constant", "constant:x", "zero:1", "photo.jpg"})
        EXPECT_EQ(code_of([&] { TensorSource(text).make(tensor(Halide::UInt(8), 1), {1}); }), "EM605") << text;
    EXPECT_EQ(code_of([] { TensorSource("absent.npy"); }), "EM603");
}

TEST(ParseScalar, keeps_bits) {
    EXPECT_EQ(parse_scalar({"k", Kind::scalar, Halide::Int(32), 0, {}}, "-2"), -2);
    EXPECT_EQ(parse_scalar({"k", Kind::scalar, Halide::Float(32), 0, {}}, "0.5"), 0x3f000000);
}

TEST(Npy, returns_what_was_written) {
    Buffer<int16_t> b(5, 3, 2);
    b.set_min(1, -2, 3);
    int next = -7;
    b.for_each_element([&](int x, int y, int c) { b(x, y, c) = static_cast<int16_t>(next++ * 99); });
    const std::string path = temporary("emulsion_npy_test.npy");
    write_npy(path, b);
    const Buffer<int16_t> back = read_npy(path);
    ASSERT_EQ(back.dimensions(), 3);
    for (int c = 0; c < 2; c++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 5; x++) ASSERT_EQ(back(x, y, c), b(x + 1, y - 2, c + 3));
    std::filesystem::remove(path);
}

TEST(Npy, refuses_broken_files) {
    const std::string path = temporary("emulsion_npy_broken.npy");
    write_npy(path, Buffer<float>(4));
    const std::vector<uint8_t> good = read_file(path);
    for (size_t cut : {size_t{0}, size_t{5}, size_t{9}, size_t{30}, good.size() - 1}) {
        write_file(path, std::vector<uint8_t>(good.begin(), good.begin() + static_cast<long>(cut)));
        EXPECT_EQ(code_of([&] { read_npy(path); }), "EM606") << cut;
    }
    std::filesystem::remove(path);
    EXPECT_EQ(code_of([] { write_npy("/no/such/folder/x.npy", Buffer<float>(4)); }), "EM602");
}

TEST(Compare, integers_bit_for_bit) {
    Buffer<int8_t> a(3, 2), b(3, 2);
    a.fill(1);
    b.fill(1);
    EXPECT_EQ(compare(a, b, 100).different, 0u);
    b(2, 1) = 2;
    const Difference d = compare(a, b, 100);
    EXPECT_EQ(d.different, 1u);
    EXPECT_EQ(d.first, "(2, 1): 1 instead of 2");
    EXPECT_EQ(code_of([&] { require_equal("out", d); }), "EM902");
    EXPECT_EQ(code_of([&] { require_equal("out", compare(a, a, 0)); }), "none");
}

TEST(Compare, floats_within_units_of_the_last_place) {
    Buffer<float> a(4), b(4);
    a(0) = 1, b(0) = std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f);
    a(1) = 0.0f, b(1) = -0.0f;
    a(2) = std::nanf(""), b(2) = -std::nanf("1");
    a(3) = std::numeric_limits<float>::denorm_min(), b(3) = -a(3);
    EXPECT_EQ(compare(a, b, 2).different, 0u);
    EXPECT_EQ(compare(a, b, 2).largest_ulp, 2u);
    EXPECT_EQ(compare(a, b, 1).different, 2u);
    a(2) = 0;
    EXPECT_EQ(compare(a, b, 2).different, 1u);
}

const std::vector<Signature> copy_signature = {{"in", Kind::input, Halide::UInt(8), 2, {}},
                                               {"k", Kind::scalar, Halide::Int(32), 0, {}},
                                               {"out", Kind::output, Halide::UInt(8), 2, {}}};

TEST(PrepareRun, outputs_follow_the_input_of_their_rank) {
    const KernelRun run = prepare_run(copy_signature, {"copy", {{"k", "3"}}, {}, {{"in", {6, 4}}}}, nullptr);
    EXPECT_EQ(run.shapes.at("out"), (std::vector<int>{6, 4}));
    EXPECT_EQ(run.scalars.at("k"), 3);
    EXPECT_EQ(run.outputs.at("out").dim(1).extent(), 4);
}

TEST(PrepareRun, says_what_is_missing_or_unknown) {
    EXPECT_EQ(code_of([] { prepare_run(copy_signature, {"copy", {{"k", "3"}}, {}, {}}, nullptr); }), "EM609");
    EXPECT_EQ(code_of([] { prepare_run(copy_signature, {"copy", {}, {}, {{"in", {6, 4}}}}, nullptr); }), "EM214");
    EXPECT_EQ(code_of([] { prepare_run(copy_signature, {"copy", {{"j", "3"}}, {}, {}}, nullptr); }), "EM608");
    EXPECT_EQ(code_of([] { prepare_run(copy_signature, {"copy", {{"k", "3"}}, {}, {{"in", {6}}}}, nullptr); }), "EM212");
    EXPECT_EQ(code_of([] { prepare_run(copy_signature, {"copy", {{"k", "3"}}, {}, {{"in", {6, 0}}}}, nullptr); }), "EM213");
}

TEST(PrepareRun, a_file_of_another_type_is_refused) {
    const std::string path = temporary("emulsion_type_test.npy");
    write_npy(path, Buffer<float>(6, 4));
    EXPECT_EQ(code_of([&] { prepare_run(copy_signature, {"copy", {{"in", path}, {"k", "1"}}, {}, {}}, nullptr); }), "EM607");
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace emulsion::command
