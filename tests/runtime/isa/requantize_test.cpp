// Requantize against the written definition in 128-bit arithmetic.
#include "runtime/isa/requantize.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace emulsion {
namespace {

constexpr int32_t lowest = std::numeric_limits<int32_t>::min(), highest = std::numeric_limits<int32_t>::max();

__int128 floor_div(__int128 p, __int128 d) { return p >= 0 ? p / d : -((-p + d - 1) / d); }

/// The exact quotient rounded by `mode`, wrapped to 32 bits.
int32_t exact(Rounding mode, int32_t acc, int32_t m, int32_t s) {
    const __int128 p = static_cast<__int128>(acc) * m, d = static_cast<__int128>(1) << s, half = d / 2;
    __int128 q = 0;
    if (mode == Rounding::single) q = floor_div(p + half, d);
    if (mode == Rounding::floor) q = floor_div(p, d);
    if (mode == Rounding::trunc) q = p / d;
    if (mode == Rounding::half_away) q = p < 0 ? -((-p + half) / d) : (p + half) / d;
    return static_cast<int32_t>(static_cast<uint32_t>(static_cast<unsigned __int128>(q)));
}

std::vector<int32_t> edges() {
    return {lowest, lowest + 1, -(1 << 30), -65537, -3, -2, -1, 0, 1, 2, 3, 255, 65536, 1 << 30, (1 << 30) + 1, highest - 1, highest};
}

TEST(Requantize, EqualsTheDefinitionAtEdges) {
    for (const Rounding mode : {Rounding::single, Rounding::floor, Rounding::trunc, Rounding::half_away})
        for (const int32_t acc : edges())
            for (const int32_t m : edges())
                for (int32_t s = 0; s <= 63; s++)
                    ASSERT_EQ(requantize(mode, acc, m, s), exact(mode, acc, m, s)) << static_cast<int>(mode) << " " << acc << " " << m << " " << s;
}

TEST(Requantize, EqualsTheDefinitionAtRandom) {
    std::mt19937 random(3);
    for (int k = 0; k < 100000; k++) {
        const auto acc = static_cast<int32_t>(random()), m = static_cast<int32_t>(random());
        const auto s = static_cast<int32_t>(random() % 64);
        for (const Rounding mode : {Rounding::single, Rounding::floor, Rounding::trunc, Rounding::half_away})
            ASSERT_EQ(requantize(mode, acc, m, s), exact(mode, acc, m, s)) << static_cast<int>(mode) << " " << acc << " " << m << " " << s;
    }
}

/// gemmlowp's two steps as TFLite writes them.
int32_t two_steps(int32_t acc, int32_t m, int32_t s) {
    const int left = s < 31 ? 31 - s : 0, right = s > 31 ? s - 31 : 0;
    const auto a = static_cast<int32_t>(static_cast<uint32_t>(acc) << left);
    const bool overflow = a == m && a == lowest;
    const int64_t ab = static_cast<int64_t>(a) * m;
    const int32_t nudge = ab >= 0 ? 1 << 30 : 1 - (1 << 30);
    const int32_t high = overflow ? highest : static_cast<int32_t>((ab + nudge) / (1ll << 31));
    const int64_t mask = (1ll << right) - 1;
    const int64_t remainder = high & mask, threshold = (mask >> 1) + (high < 0 ? 1 : 0);
    return static_cast<int32_t>((static_cast<int64_t>(high) >> right) + (remainder > threshold ? 1 : 0));
}

TEST(Requantize, DoubleIsTwoSteps) {
    std::mt19937 random(4);
    for (const int32_t acc : edges())
        for (const int32_t m : edges())
            for (int32_t s = 0; s <= 62; s++) ASSERT_EQ(requantize(Rounding::double_, acc, m, s), two_steps(acc, m, s)) << acc << " " << m << " " << s;
    for (int k = 0; k < 100000; k++) {
        const auto acc = static_cast<int32_t>(random()), m = static_cast<int32_t>(random());
        const auto s = static_cast<int32_t>(random() % 63);
        ASSERT_EQ(requantize(Rounding::double_, acc, m, s), two_steps(acc, m, s)) << acc << " " << m << " " << s;
    }
}

TEST(Requantize, TiesShowTheMode) {
    // 5 / 2 and -5 / 2 (31 fraction bits: m 2^30, s 31): up, up, down, toward zero, away.
    const struct { Rounding mode; int32_t plus, minus; } rows[] = {
        {Rounding::single, 3, -2}, {Rounding::double_, 3, -2}, {Rounding::floor, 2, -3}, {Rounding::trunc, 2, -2}, {Rounding::half_away, 3, -3}};
    for (const auto &r : rows) {
        EXPECT_EQ(requantize(r.mode, 5, 1 << 30, 31), r.plus) << static_cast<int>(r.mode);
        EXPECT_EQ(requantize(r.mode, -5, 1 << 30, 31), r.minus) << static_cast<int>(r.mode);
    }
}

// 10 * 2^30 / 2^32: the first step gives 5, the second halves it.
TEST(Requantize, SecondStepOfDoubleTiesAway) {
    EXPECT_EQ(requantize(Rounding::double_, 10, 1 << 30, 32), 3);
    EXPECT_EQ(requantize(Rounding::double_, -10, 1 << 30, 32), -3);
}

TEST(Requantize, ShiftsOutOfRangeAreClamped) {
    EXPECT_EQ(requantize(Rounding::single, 7, 3, -5), requantize(Rounding::single, 7, 3, 0));
    EXPECT_EQ(requantize(Rounding::floor, -7, 3, 1000), requantize(Rounding::floor, -7, 3, 63));
}

TEST(RequantizeFloat, NearestEvenAndClamped) {
    EXPECT_EQ(requantize_f32(5, 0.5f), 2);
    EXPECT_EQ(requantize_f32(7, 0.5f), 4);
    EXPECT_EQ(requantize_f32(-5, 0.5f), -2);
    EXPECT_EQ(requantize_f32(highest, 1.0f), highest);
    EXPECT_EQ(requantize_f32(lowest, 1.0f), lowest);
    EXPECT_EQ(requantize_f32(lowest, 4.0f), lowest);
    EXPECT_EQ(requantize_f32(1, std::numeric_limits<float>::quiet_NaN()), lowest);
    EXPECT_EQ(requantize_f32(-1, -INFINITY), highest);
}

}  // namespace
}  // namespace emulsion
