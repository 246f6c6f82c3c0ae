// Counts of timing: unsigned integers that saturate, so that no program, verified or not, overflows the arithmetic.
#pragma once
#include <algorithm>
#include <cstdint>

namespace emulsion::timing {

/// No operation is longer: verified domains have at most 2^40 points. 2^42 leaves 21 bits for fixed-point fractions.
inline constexpr uint64_t count_limit = uint64_t{1} << 42;

inline uint64_t times(uint64_t a, uint64_t b) {
    uint64_t r = 0;
    return __builtin_mul_overflow(a, b, &r) ? count_limit : std::min(r, count_limit);
}

template<typename... Rest>
uint64_t times(uint64_t a, uint64_t b, Rest... rest) {
    return times(times(a, b), rest...);
}

/// a / b rounded up; a rate of 0 counts as 1.
inline uint64_t ceil_div(uint64_t a, uint64_t b) { return b <= 1 ? a : a / b + (a % b != 0); }

/// bytes / bandwidth, rounded up [cycles]; bandwidth in bytes per 10 cycles.
inline uint64_t cycles_at(uint64_t bytes, uint64_t bytes_per_cycle_x10) {
    return ceil_div(times(bytes, 10), bytes_per_cycle_x10);
}

}  // namespace emulsion::timing
