#include "generators/tables.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emulsion::generators {

namespace {

int32_t doubling_high_multiply(int32_t a, int32_t b) {
    if (a == b && a == std::numeric_limits<int32_t>::min()) return std::numeric_limits<int32_t>::max();
    const int64_t p = int64_t{a} * b, nudge = p >= 0 ? 1 << 30 : 1 - (1 << 30);
    return static_cast<int32_t>((p + nudge) / (int64_t{1} << 31));
}

int32_t rounding_divide(int32_t x, int exponent) {
    const int64_t mask = (int64_t{1} << exponent) - 1, threshold = (mask >> 1) + (x < 0);
    return static_cast<int32_t>((x >> exponent) + ((x & mask) > threshold));
}

int32_t shift_left_saturating(int32_t x, int bits) {
    const int64_t wide = int64_t{x} * (int64_t{1} << bits);
    return static_cast<int32_t>(std::clamp<int64_t>(wide, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
}

/// exp(a) for a in [-1/4, 0), Q0.31. gemmlowp: exp_on_interval_between_negative_one_quarter_and_0_excl.
int32_t exp_small(int32_t a) {
    constexpr int32_t exp_minus_eighth = 1895147668, third = 715827883;
    const int32_t x = a + (1 << 28);
    const int32_t x2 = doubling_high_multiply(x, x), x3 = doubling_high_multiply(x2, x), x4 = doubling_high_multiply(x2, x2);
    const int32_t x4_over_4 = rounding_divide(x4, 2);
    const int32_t tail = rounding_divide(doubling_high_multiply(x4_over_4 + x3, third) + x2, 1);
    return exp_minus_eighth + doubling_high_multiply(exp_minus_eighth, x + tail);
}

/// exp(a) for a <= 0 in Q5.26, as Q0.31. gemmlowp: exp_on_negative_values.
int32_t exp_negative(int32_t a) {
    constexpr int fraction = 26, integer = 5;
    if (a == 0) return std::numeric_limits<int32_t>::max();
    constexpr int32_t quarter = 1 << (fraction - 2);
    const int32_t remainder = (a & (quarter - 1)) - quarter;  // a mod 1/4, minus 1/4
    int32_t result = exp_small(shift_left_saturating(remainder, integer));
    const int32_t rest = remainder - a;
    constexpr struct { int exponent; int32_t multiplier; } barrel[] = {
        {-2, 1672461947}, {-1, 1302514674}, {0, 790015084}, {1, 290630308}, {2, 39332535}, {3, 720401}, {4, 242}};
    for (const auto &[exponent, multiplier] : barrel)
        if (rest & (1 << (fraction + exponent))) result = doubling_high_multiply(result, multiplier);
    return result;
}

/// MultiplyByQuantizedMultiplierGreaterThanOne: doubling high multiply after a left shift.
int32_t scaled(int32_t x, int32_t multiplier, int left) { return doubling_high_multiply(x * (1 << left), multiplier); }

}  // namespace

std::array<int32_t, 256> softmax_table(double scale) {
    constexpr int integer_bits = 5;
    // PreprocessSoftmaxScaling: the real multiplier is limited to 2^31 - 1.
    const double real = std::min(scale * (1 << (31 - integer_bits)), double((int64_t{1} << 31) - 1));
    int left = 0;
    const double mantissa = std::frexp(real, &left);
    auto multiplier = static_cast<int64_t>(std::llround(mantissa * double(int64_t{1} << 31)));
    if (multiplier == int64_t{1} << 31) {
        multiplier /= 2;
        left++;
    }
    // CalculateInputRadius: larger differences would overflow the left shift.
    const auto radius = static_cast<int32_t>(std::floor(double((1 << integer_bits) - 1) * double(1 << (31 - integer_bits)) / double(int64_t{1} << left)));
    std::array<int32_t, 256> table{};
    for (int d = 0; d < 256 && d <= radius; d++) table[d] = exp_negative(scaled(-d, static_cast<int32_t>(multiplier), left));
    return table;
}

std::array<int32_t, 256> activation_table(const std::function<float(float)> &f, bool is_signed, float in_scale, int in_zero,
                                          float out_scale, int out_zero) {
    const int lowest = is_signed ? -128 : 0;
    std::array<int32_t, 256> table{};
    for (int v = 0; v < 256; v++) {
        const float y = f(in_scale * static_cast<float>(lowest + v - in_zero));
        const float q = std::round(y * (1.0f / out_scale)) + static_cast<float>(out_zero);
        table[v] = static_cast<int32_t>(std::clamp(q, static_cast<float>(lowest), static_cast<float>(lowest + 255)));
    }
    return table;
}

}  // namespace emulsion::generators
