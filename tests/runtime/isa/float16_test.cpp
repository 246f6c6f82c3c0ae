// The 16-bit float conversions against a definition by search: the nearest representable value, ties to the even bits.
#include "runtime/isa/float16.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace emulsion {
namespace {

struct Format {
    float (*widen)(uint16_t);
    uint16_t (*narrow)(float);
    uint16_t infinity;
    double beyond;  ///< the value the pattern of infinity would have if the largest exponent held numbers
};
const Format formats[] = {{f16_to_f32, f32_to_f16, 0x7c00, 65536.0}, {bf16_to_f32, f32_to_bf16, 0x7f80, 0x1p128}};

TEST(Float16, EveryPatternSurvivesWideningAndNarrowing) {
    for (const Format &f : formats)
        for (uint32_t bits = 0; bits < 0x10000; bits++) {
            const float wide = f.widen(static_cast<uint16_t>(bits));
            if (std::isnan(wide)) EXPECT_TRUE(std::isnan(f.widen(f.narrow(wide)))) << bits;
            else ASSERT_EQ(f.narrow(wide), bits);
        }
}

double value_of(const Format &f, uint16_t bits) { return bits == f.infinity ? f.beyond : f.widen(bits); }

uint16_t nearest_even(const Format &f, float x) {
    uint16_t low = 0, high = f.infinity;
    while (high - low > 1) {
        const auto middle = static_cast<uint16_t>((low + high) / 2);
        (value_of(f, middle) <= x ? low : high) = middle;
    }
    const double down = x - value_of(f, low), up = value_of(f, high) - x;
    if (down == up) return low % 2 == 0 ? low : high;
    return down < up ? low : high;
}

TEST(Float16, NarrowingIsNearestEven) {
    std::mt19937 random(2);
    for (const Format &f : formats)
        for (int k = 0; k < 200000; k++) {
            // Values around a representable number and around the middle between two.
            const auto bits = static_cast<uint16_t>(random() % f.infinity);
            const double middle = (value_of(f, bits) + value_of(f, static_cast<uint16_t>(bits + 1))) / 2;
            float x = static_cast<float>(k % 2 ? middle : value_of(f, bits));
            for (int step = static_cast<int>(random() % 3); step > 0; step--) x = std::nextafter(x, k % 4 < 2 ? 0.0f : INFINITY);
            if (!std::isfinite(x)) continue;
            ASSERT_EQ(f.narrow(x), nearest_even(f, x)) << x;
            ASSERT_EQ(f.narrow(-x), nearest_even(f, x) | 0x8000) << x;
        }
}

TEST(Float16, Ends) {
    EXPECT_EQ(f32_to_f16(65519.99f), 0x7bff);
    EXPECT_EQ(f32_to_f16(65520.0f), 0x7c00);
    EXPECT_EQ(f32_to_f16(-INFINITY), 0xfc00);
    EXPECT_EQ(f32_to_f16(0x1p-25f), 0);
    EXPECT_EQ(f32_to_f16(std::nextafter(0x1p-25f, 1.0f)), 1);
    EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7f80);
    EXPECT_TRUE(std::signbit(f16_to_f32(0x8000)));
}

}  // namespace
}  // namespace emulsion
