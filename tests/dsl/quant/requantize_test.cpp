// Catches: a rounding mode whose Halide form differs by one bit from the machine's definition, on ties, signs and extremes.
#include "dsl/quant/requantize.h"

#include "generators/reference/requantize.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/requantize.h"

#include <gtest/gtest.h>
#include <random>

namespace emulsion {
namespace {

struct Samples {
    std::vector<int32_t> acc, multiplier, shift;
    void add(int32_t a, int32_t m, int32_t s) {
        acc.push_back(a);
        multiplier.push_back(m);
        shift.push_back(s);
    }
};

Samples samples() {
    Samples result;
    const int32_t edges[] = {INT32_MIN, INT32_MIN + 1, -65536, -3, -2, -1, 0, 1, 2, 3, 65535, 1 << 30, INT32_MAX};
    for (int32_t a : edges)
        for (int32_t m : edges)
            for (int32_t s : {0, 1, 2, 30, 31, 32, 33, 62, 63}) result.add(a, m, s);
    std::mt19937 random(7);
    for (int i = 0; i < 100000; i++)
        result.add(static_cast<int32_t>(random()) >> (random() % 31), static_cast<int32_t>(random()) >> (random() % 31), random() % 64);
    return result;
}

Halide::Buffer<int32_t> realize(Samples &in, Rounding mode) {
    const auto n = static_cast<int>(in.acc.size());
    const Halide::Buffer<int32_t> a(in.acc.data(), n), m(in.multiplier.data(), n), s(in.shift.data(), n);
    Halide::Func out("out");
    Halide::Var i("i");
    out(i) = requantize(a(i), m(i), s(i), mode, Form::plain);
    return out.realize({n});
}

class EveryMode : public testing::TestWithParam<int> {};

TEST_P(EveryMode, HalideFormEqualsScalarForm) {
    Samples in = samples();
    const auto mode = static_cast<Rounding>(GetParam());
    const Halide::Buffer<int32_t> out = realize(in, mode);
    for (size_t i = 0; i < in.acc.size(); i++)
        ASSERT_EQ(out(i), requantize(mode, in.acc[i], in.multiplier[i], in.shift[i]))
            << rounding_names[GetParam()] << " acc " << in.acc[i] << " m " << in.multiplier[i] << " s " << in.shift[i];
}

TEST_P(EveryMode, ScalarFormEqualsDefinitionOnWideIntegers) {
    const Samples in = samples();
    const auto mode = static_cast<Rounding>(GetParam());
    for (size_t i = 0; i < in.acc.size(); i++)
        ASSERT_EQ(requantize(mode, in.acc[i], in.multiplier[i], in.shift[i]),
                  reference::Requantize::at(in.acc[i], in.multiplier[i], in.shift[i], rounding_names[GetParam()]))
            << rounding_names[GetParam()] << " acc " << in.acc[i] << " m " << in.multiplier[i] << " s " << in.shift[i];
}

INSTANTIATE_TEST_SUITE_P(Integer, EveryMode, testing::Range(0, 5));

TEST(Requantize, FloatScaleEqualsScalarForm) {
    std::vector<int32_t> acc{0, 1, 3, 5, -1, -3, 16777217, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN};
    std::vector<float> scale{1, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 1, 1, 1, 2, 2};
    std::mt19937 random(8);
    std::uniform_real_distribution<float> real(0.0f, 0.01f);
    for (int i = 0; i < 100000; i++) {
        acc.push_back(static_cast<int32_t>(random()) >> (random() % 31));
        scale.push_back(real(random));
    }
    const auto n = static_cast<int>(acc.size());
    const Halide::Buffer<int32_t> a(acc.data(), n);
    const Halide::Buffer<float> s(scale.data(), n);
    Halide::Func out("out");
    Halide::Var i("i");
    out(i) = requantize(a(i), s(i), Halide::Expr(), Rounding::rne_f32, Form::plain);
    const Halide::Buffer<int32_t> got = out.realize({n});
    for (int k = 0; k < n; k++) ASSERT_EQ(got(k), requantize_f32(acc[k], scale[k])) << acc[k] << " * " << scale[k];
}

TEST(Requantize, NpuFormNamesTheModeAndItsArguments) {
    Halide::Var i("i");
    const Halide::Expr e = requantize(i, 3, 4, Rounding::double_, Form::npu);
    const auto *call = e.as<Halide::Internal::Call>();
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->name, "emulsion.requantize.double");
    EXPECT_EQ(call->args.size(), 3u);
    EXPECT_EQ(call->call_type, Halide::Internal::Call::PureExtern);
}

TEST(Requantize, UnknownModeIsRefusedWithTheLegalOnes) {
    try {
        rounding("nearest");
        FAIL();
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().code(), "EM201");
        EXPECT_NE(std::string(e.what()).find("half_away"), std::string::npos);
    }
}

}  // namespace
}  // namespace emulsion
