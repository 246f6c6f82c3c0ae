// Requantize: the scalar definition of every rounding mode. dsl/quant/requantize.h has the same as Halide expressions; the
// two agree bit for bit, results that do not fit 32 bits (which wrap) included.
#pragma once
#include "runtime/isa/micro_op.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace emulsion {
namespace requantize_detail {

inline int64_t product(int32_t acc, int32_t m) { return static_cast<int64_t>(acc) * m; }

/// (p + 2^(s-1)) >> s without overflow: the half adds the last bit shifted out.
inline int64_t rounding_shift(int64_t p, int32_t s) { return s == 0 ? p : (p >> s) + ((p >> (s - 1)) & 1); }

inline int32_t single(int32_t acc, int32_t m, int32_t s) { return static_cast<int32_t>(rounding_shift(product(acc, m), s)); }

/// TFLite's SaturatingRoundingDoublingHighMul of acc << left, then RoundingDivideByPOT by right
/// (tensorflow/lite/kernels/internal/common.h). The nudged product is divided toward zero, so ties of the first step go up;
/// those of the second go away from zero.
inline int32_t double_(int32_t acc, int32_t m, int32_t s) {
    const int32_t left = std::max(31 - s, 0), right = std::max(s - 31, 0);
    const int64_t p = product(static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(static_cast<int64_t>(acc)) << left)), m);
    const int64_t nudged = p + (p >= 0 ? 1ll << 30 : 1 - (1ll << 30));
    const int64_t high = std::min<int64_t>(nudged / (1ll << 31), std::numeric_limits<int32_t>::max());
    const int64_t mask = (1ll << right) - 1, threshold = (mask >> 1) + (high < 0);
    return static_cast<int32_t>((high >> right) + ((high & mask) > threshold));
}

inline int32_t floor(int32_t acc, int32_t m, int32_t s) { return static_cast<int32_t>(product(acc, m) >> s); }

inline int32_t trunc(int32_t acc, int32_t m, int32_t s) {
    const int64_t p = product(acc, m);
    return static_cast<int32_t>(p < 0 ? -(-p >> s) : p >> s);
}

inline int32_t half_away(int32_t acc, int32_t m, int32_t s) {
    const int64_t p = product(acc, m);
    return static_cast<int32_t>(p < 0 ? -rounding_shift(-p, s) : rounding_shift(p, s));
}

using Function = int32_t (*)(int32_t, int32_t, int32_t);
inline constexpr Function functions[] = {single, double_, floor, trunc, half_away};  // order of enum Rounding

}  // namespace requantize_detail

/// acc * multiplier / 2^shift, rounded by `mode` (any but rne_f32, which has a float scale). The shift is 0 to 63; others,
/// which only an unverified program can hold, are clamped.
inline int32_t requantize(Rounding mode, int32_t acc, int32_t multiplier, int32_t shift) {
    return requantize_detail::functions[static_cast<int>(mode)](acc, multiplier, std::clamp(shift, 0, 63));
}

/// Rounding::rne_f32: nearest even of float32(acc) * scale, clamped to int32; NaN gives the smallest.
inline int32_t requantize_f32(int32_t acc, float scale) {
    const float scaled = std::nearbyint(static_cast<float>(acc) * scale);
    if (scaled >= 2147483648.0f) return std::numeric_limits<int32_t>::max();
    return scaled > -2147483648.0f ? static_cast<int32_t>(scaled) : std::numeric_limits<int32_t>::min();
}

}  // namespace emulsion
