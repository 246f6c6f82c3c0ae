// Scalar reference of requantize: the definitions, on exact integers. Source: isa.md section 4 as quoted in docs; TFLite
// reference kernels (single: MultiplyByQuantizedMultiplier with one rounding; double: with two).
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace emulsion::reference {

struct Requantize {
    static constexpr int tolerance = 0;  // integers: every schedule gives the same bits

    using Wide = __int128;

    static Wide floor_divide(Wide a, Wide b) { return a / b - (a % b < 0); }
    static Wide half_away_divide(Wide a, Wide b) { return a < 0 ? -((-a + b / 2) / b) : (a + b / 2) / b; }
    static int32_t saturate(Wide x) {
        constexpr Wide lo = std::numeric_limits<int32_t>::min(), hi = std::numeric_limits<int32_t>::max();
        return static_cast<int32_t>(x < lo ? lo : x > hi ? hi : x);
    }

    /// gemmlowp's SaturatingRoundingDoublingHighMul takes ties up, RoundingDivideByPOT away from zero.
    static Wide two_steps(int32_t acc, int32_t m, int shift) {
        // The left shift wraps, as int32 arithmetic in TFLite's kernels does on every host.
        const int left = shift < 31 ? 31 - shift : 0, right = shift > 31 ? shift - 31 : 0;
        const auto x = static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(static_cast<int64_t>(acc)) << left));
        const int32_t high = saturate(floor_divide(Wide{x} * m + (Wide{1} << 30), Wide{1} << 31));
        return half_away_divide(high, Wide{1} << right);
    }

    /// acc * m / 2^shift as a mathematical integer; the machine keeps its low 32 bits.
    static int32_t at(int32_t acc, int32_t m, int shift, std::string_view mode) {
        const Wide p = Wide{acc} * m, unit = Wide{1} << shift;
        Wide q = 0;
        if (mode == "single") q = floor_divide(p + unit / 2, unit);
        if (mode == "double") q = two_steps(acc, m, shift);
        if (mode == "floor") q = floor_divide(p, unit);
        if (mode == "trunc") q = p / unit;
        if (mode == "half_away") q = half_away_divide(p, unit);
        return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(q)));
    }

    /// rne_f32: nearest even of float32(acc) * scale.
    static int32_t at(int32_t acc, float scale) {
        const double rounded = std::nearbyint(static_cast<float>(acc) * scale);
        return static_cast<int32_t>(std::fmin(std::fmax(rounded, -2147483648.0), 2147483647.0));
    }
};

}  // namespace emulsion::reference
