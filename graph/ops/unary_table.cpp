#include "graph/ops/unary_table.h"

#include "generators/tables.h"
#include "runtime/isa/requantize.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph {

namespace {

constexpr Rounding rescale_mode = Rounding::double_;  // MultiplyByQuantizedMultiplier as shipped

int32_t rescale(int32_t x, const FixedPoint &f) { return requantize(rescale_mode, x, f.multiplier, f.shift); }

using Table = std::array<int32_t, 256>;

template<typename F>
Table fill(const TableFunction &t, F f) {
    Table table{};
    for (int v = 0; v < 256; v++) table[v] = std::clamp<int32_t>(f(t.lowest() + v - t.in_zero), t.lowest(), t.lowest() + 255);
    return table;
}

// hard_swish.h: 16-bit fixed point.

int16_t high_multiply(int16_t a, int16_t b) {
    if (a == b && a == INT16_MIN) return INT16_MAX;
    const int32_t p = int32_t{a} * b, nudge = p >= 0 ? 1 << 14 : 1 - (1 << 14);
    return static_cast<int16_t>((p + nudge) / (1 << 15));
}

int16_t high_multiply_toward_zero(int16_t a, int16_t b) {
    if (a == b && a == INT16_MIN) return INT16_MAX;
    return static_cast<int16_t>(int32_t{a} * b / (1 << 15));
}

int16_t shift_left(int16_t x, int bits) {
    return static_cast<int16_t>(std::clamp<int64_t>(int64_t{x} * (int64_t{1} << bits), INT16_MIN, INT16_MAX));
}

int16_t divide_by_power(int16_t x, int exponent) {
    const int32_t mask = (1 << exponent) - 1, threshold = (mask >> 1) + (x < 0);
    return static_cast<int16_t>((x >> exponent) + ((x & mask) > threshold));
}

struct Multiplier16 {
    int16_t multiplier;
    int exponent;
};

/// DownScaleInt32ToInt16Multiplier of QuantizeMultiplier.
Multiplier16 multiplier16(double scale) {
    const FixedPoint f = fixed_point(scale);
    constexpr int32_t rounding = 1 << 15;
    const int32_t m = f.multiplier >= INT32_MAX - rounding ? INT16_MAX : (f.multiplier + rounding) >> 16;
    return {static_cast<int16_t>(m), 31 - f.shift};
}

Table hard_swish(const Node &node, const TableFunction &t) {
    const float hires = (1.0f / 128.0f) * t.in_scale;
    const Multiplier16 out = multiplier16(hires / t.out_scale), reluish = multiplier16(hires / (3.0f / 32768.0f));
    if (out.exponent > 0) unsupported(node, "a hard_swish whose output scale is below 1/128 of its input's", "use a larger output scale");
    return fill(t, [&](int32_t x) {
        const auto in = static_cast<int16_t>(x * (1 << 7));
        const int16_t scaled = high_multiply(in, out.multiplier);
        int16_t r = in;
        if (reluish.exponent > 0) r = shift_left(r, reluish.exponent - 1);
        r = high_multiply(r, reluish.multiplier);
        if (reluish.exponent > 0) r = shift_left(r, 1);
        if (reluish.exponent < 0) r = divide_by_power(r, -reluish.exponent);
        r = static_cast<int16_t>((r + (1 << 15)) >> 1);
        return divide_by_power(high_multiply_toward_zero(r, scaled), -out.exponent) + t.out_zero;
    });
}

/// elementwise.cc AbsEvalQuantized: rescaled only where the scales differ.
Table absolute(const TableFunction &t) {
    const FixedPoint f = fixed_point(static_cast<double>(t.in_scale / t.out_scale));
    return fill(t, [&](int32_t x) {
        const int32_t a = std::abs(x);
        return (t.in_scale == t.out_scale ? a : rescale(a, f)) + t.out_zero;
    });
}

struct RealFunction {
    std::string_view name;
    float (*value)(float x, const TableFunction &t);
};

constexpr float sqrt_half = 0.70710678118654752440f, sqrt_two_over_pi = 0.79788456080286535588f;

// LUTPopulate in float32: f of the dequantised input.
constexpr RealFunction real_functions[] = {
    {"logistic", [](float x, const TableFunction &) { return 1.0f / (1.0f + std::exp(-x)); }},
    {"tanh", [](float x, const TableFunction &) { return std::tanh(x); }},
    {"elu", [](float x, const TableFunction &t) { return x < 0.0f ? t.alpha * std::expm1(x) : x; }},
    {"gelu", [](float x, const TableFunction &) { return 0.5f * x * std::erfc(x * -sqrt_half); }},
    {"gelu_tanh", [](float x, const TableFunction &) { return 0.5f * x * (1.0f + std::tanh(sqrt_two_over_pi * (x + 0.044715f * x * x * x))); }},
    {"exp", [](float x, const TableFunction &) { return std::exp(x); }},
    {"log", [](float x, const TableFunction &t) { return x <= 0.0f ? static_cast<float>(t.lowest() - t.out_zero) * t.out_scale : std::log(x); }},
    {"sqrt", [](float x, const TableFunction &) { return std::sqrt(std::max(x, 0.0f)); }},
    {"rsqrt", [](float x, const TableFunction &t) { return x <= 0.0f ? static_cast<float>(t.lowest() + 255 - t.out_zero) * t.out_scale : 1.0f / std::sqrt(x); }},
    {"neg", [](float x, const TableFunction &) { return -x; }},
    {"square", [](float x, const TableFunction &) { return x * x; }},
    {"sin", [](float x, const TableFunction &) { return std::sin(x); }},
    {"cos", [](float x, const TableFunction &) { return std::cos(x); }},
    {"erf", [](float x, const TableFunction &) { return std::erf(x); }},
    {"floor", [](float x, const TableFunction &) { return std::floor(x); }},
    {"ceil", [](float x, const TableFunction &) { return std::ceil(x); }},
    {"round", [](float x, const TableFunction &) { return std::nearbyint(x); }},
    {"sign", [](float x, const TableFunction &) { return static_cast<float>((x > 0.0f) - (x < 0.0f)); }},
    {"softplus", [](float x, const TableFunction &) { return std::log1p(std::exp(-std::fabs(x))) + std::max(x, 0.0f); }},
    {"softsign", [](float x, const TableFunction &) { return x / (1.0f + std::fabs(x)); }},
    {"swish", [](float x, const TableFunction &) { return x / (1.0f + std::exp(-x)); }},
    {"mish", [](float x, const TableFunction &) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"hard_sigmoid", [](float x, const TableFunction &t) { return std::clamp(t.alpha * x + t.beta, 0.0f, 1.0f); }},
    {"selu", [](float x, const TableFunction &t) { return t.gamma * (x < 0.0f ? t.alpha * std::expm1(x) : x); }},
    {"celu", [](float x, const TableFunction &t) { return std::max(x, 0.0f) + std::min(t.alpha * std::expm1(x / t.alpha), 0.0f); }},
    {"threshold", [](float x, const TableFunction &t) { return x > t.alpha ? x : 0.0f; }},
};

}  // namespace

Table leaky_table(const TableFunction &t, float slope) {
    const FixedPoint identity = fixed_point(static_cast<double>(t.in_scale / t.out_scale));
    const FixedPoint scaled = fixed_point(static_cast<double>(t.in_scale * std::fabs(slope) / t.out_scale));
    const int32_t sign = slope < 0 ? -1 : 1;
    return fill(t, [&](int32_t x) { return t.out_zero + (x >= 0 ? rescale(x, identity) : sign * rescale(x, scaled)); });
}

Table clamp_table(const Node &node, const Value &out, const TableFunction &t, double low, double high) {
    const FixedPoint f = fixed_point(static_cast<double>(t.in_scale / t.out_scale));
    const ActivationRange range = real_range(node, out, low, high);
    return fill(t, [&](int32_t x) {
        const double y = t.out_zero + rescale(x, f);
        return static_cast<int32_t>(std::min(std::max(y, range.lowest), range.highest));
    });
}

Table unary_table(const Node &node, const std::string &function, const TableFunction &t) {
    if (function == "hard_swish") return hard_swish(node, t);
    if (function == "abs") return absolute(t);
    if (function == "leaky_relu") return leaky_table(t, t.alpha);
    for (const RealFunction &row : real_functions)
        if (row.name == function)
            return generators::activation_table([&](float x) { return row.value(x, t); }, t.is_signed, t.in_scale, t.in_zero, t.out_scale, t.out_zero);
    unsupported(node, fmt::format("{} of quantised integers", function), "dequantise before this node");
}

}  // namespace emulsion::graph
