// float16 and bfloat16 as bits: exact widening, narrowing rounded to nearest even.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace emulsion {

/// IEEE binary16 bits -> float32, exact. NaN keeps its payload and becomes quiet.
inline float f16_to_f32(uint16_t h) {
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16, exponent = (h >> 10) & 31, mantissa = h & 0x3ff;
    if (exponent == 0) return std::bit_cast<float>(sign) + (sign ? -1.0f : 1.0f) * std::ldexp(static_cast<float>(mantissa), -24);
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

/// float32 -> IEEE binary16 bits, nearest even; overflow gives infinity. NaN keeps its upper payload and becomes quiet.
inline uint16_t f32_to_f16(float f) {
    const uint32_t bits = std::bit_cast<uint32_t>(f), magnitude = bits & 0x7fffffff;
    const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    if (magnitude > 0x7f800000) return sign | 0x7e00 | (magnitude >> 13 & 0x3ff);
    if (magnitude >= 0x477ff000) return sign | 0x7c00;  // 65520 and above round to infinity
    if (magnitude < 0x38800000) {                       // subnormal: a multiple of 2^-24
        return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(std::bit_cast<float>(magnitude), 24)));
    }
    const uint32_t rebiased = magnitude - (112u << 23);
    return sign | static_cast<uint16_t>((rebiased + 0xfff + (rebiased >> 13 & 1)) >> 13);
}

/// bfloat16 bits -> float32, exact.
inline float bf16_to_f32(uint16_t b) { return std::bit_cast<float>(static_cast<uint32_t>(b) << 16); }

/// float32 -> bfloat16 bits, nearest even; overflow gives infinity. NaN keeps its upper payload and becomes quiet.
inline uint16_t f32_to_bf16(float f) {
    const uint32_t bits = std::bit_cast<uint32_t>(f);
    if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>(bits >> 16 | 0x40);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace emulsion
