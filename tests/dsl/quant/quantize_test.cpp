// Catches: wrong ties, missing saturation, off-by-one look-ups, multipliers that are not the nearest.
#include "dsl/quant/quantize.h"

#include "generators/reference/elementwise.h"
#include "runtime/diag/diag.h"

#include <gtest/gtest.h>
#include <random>

namespace emulsion {
namespace {

std::vector<float> values() {
    std::vector<float> x{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 0.49999997f, -0.49999997f, 1e30f, -1e30f, 0.0f, 126.5f, 127.5f, -128.5f};
    std::mt19937 random(3);
    std::uniform_real_distribution<float> real(-300.0f, 300.0f);
    for (int i = 0; i < 10000; i++) x.push_back(real(random));
    return x;
}

void check_quantize(Ties ties, float scale, int zero) {
    std::vector<float> x = values();
    const auto n = static_cast<int>(x.size());
    const Halide::Buffer<float> in(x.data(), n);
    Halide::Func out("out");
    Halide::Var i("i");
    out(i) = quantize(Halide::Int(8), in(i), scale, zero, ties);
    const Halide::Buffer<int8_t> got = out.realize({n});
    for (int k = 0; k < n; k++)
        ASSERT_EQ(got(k), reference::quantize(x[k], scale, zero, ties == Ties::away, -128, 127)) << x[k] << " / " << scale;
}

TEST(Quantize, TiesAwayFromZero) { check_quantize(Ties::away, 1.0f, 0); }
TEST(Quantize, TiesToEven) { check_quantize(Ties::even, 1.0f, 0); }
TEST(Quantize, ScaleAndZeroPoint) { check_quantize(Ties::away, 0.37f, -11); }

TEST(Dequantize, SubtractsBeforeScaling) {
    Halide::Func out("out");
    Halide::Var i("i");
    out(i) = dequantize(Halide::cast<int8_t>(i - 128), 0.25f, 7);
    const Halide::Buffer<float> got = out.realize({256});
    for (int k = 0; k < 256; k++) EXPECT_EQ(got(k), 0.25f * static_cast<float>(k - 128 - 7));
}

template<typename T>
void check_lookup() {
    Halide::Func table("table"), out("out");
    Halide::Var i("i");
    table(i) = i * 3;
    const int lowest = std::numeric_limits<T>::min();
    out(i) = lookup(table, Halide::cast<T>(i + lowest));
    const Halide::Buffer<int> got = out.realize({256});
    for (int k = 0; k < 256; k++) EXPECT_EQ(got(k), k * 3);
}

TEST(Lookup, SignedIndexStartsAtTheSmallestValue) { check_lookup<int8_t>(); }
TEST(Lookup, UnsignedIndex) { check_lookup<uint8_t>(); }

TEST(Quantized, PerAxisValuesUseTheirOwnScale) {
    Halide::Func values("values"), scales("scales"), zeros("zeros"), out("out");
    Halide::Var c("c"), x("x");
    values(c, x) = Halide::cast<int8_t>(10 * c + x);
    scales(c) = 0.5f * Halide::cast<float>(c + 1);
    zeros(c) = c;
    out(c, x) = quantized(values, scales, zeros, 0).real_at({c, x});
    const Halide::Buffer<float> got = out.realize({3, 2});
    EXPECT_EQ(got(2, 1), 1.5f * (21 - 2));
    EXPECT_EQ(got(0, 1), 0.5f * 1);
}

TEST(FixedPoint, IsTheNearestWithinItsRange) {
    for (double scale : {1.0, 0.5, 0.3, 1e-3, 7.25e-9, 1.9999999999, 1234.5}) {
        const FixedPoint f = fixed_point(scale);
        EXPECT_GE(f.multiplier, 1 << 30);
        EXPECT_NEAR(std::ldexp(f.multiplier, -f.shift), scale, std::ldexp(0.5, -f.shift)) << scale;
    }
    EXPECT_EQ(fixed_point(0.0).multiplier, 0);
    EXPECT_EQ(fixed_point(1e-30).multiplier, 0);
}

TEST(FixedPoint, RefusesNegativeInfiniteAndHugeScales) {
    for (double scale : {-1.0, std::numeric_limits<double>::infinity(), std::nan(""), 4294967296.0}) {
        try {
            fixed_point(scale);
            FAIL() << scale;
        } catch (const Error &e) {
            EXPECT_EQ(e.diagnostic().code(), "EM202");
        }
    }
}

}  // namespace
}  // namespace emulsion
