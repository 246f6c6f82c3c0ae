// Bitwise micro-ops and shifts, on integers of their type. A shift by the width or more leaves only copies of the sign.
#include "runtime/emulator/micro_ops/block.h"

#include <bit>

namespace emulsion::micro {
namespace {

template<std::integral T> constexpr int width = 8 * sizeof(T);

/// a * 2^n rounded down, for any n.
template<std::integral T>
T scaled_by_power(T a, int64_t n) {
    if (n >= width<T>) return 0;
    if (n >= 0) return static_cast<T>(Unsigned<T>(a) << n);
    return static_cast<T>(a >> (n <= -width<T> ? width<T> - 1 : -n) >> (n <= -width<T> ? 1 : 0));
}

/// A shift count, clamped so that it can be negated; unsigned counts are never negative.
template<std::integral T>
int64_t count(T n) {
    if constexpr (sizeof(T) < 8) return n;
    else return n > T{128} ? 128 : std::is_signed_v<T> && n < static_cast<T>(-128) ? -128 : static_cast<int64_t>(n);
}

struct And {
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
struct Or {
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
struct Xor {
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};
struct Not {
    template<std::integral T> T operator()(T a) const { return static_cast<T>(~a); }
};
struct ShiftLeft {
    template<std::integral T> T operator()(T a, T b) const { return scaled_by_power(a, count(b)); }
};
struct ShiftRight {
    template<std::integral T> T operator()(T a, T b) const { return scaled_by_power(a, -count(b)); }
};
struct RoundingShiftRight {
    template<std::integral T> T operator()(T a, T b) const {
        const int64_t n = count(b);
        if (n <= 0) return scaled_by_power(a, -n);
        if (n > width<T>) return 0;
        return static_cast<T>((Wide<T>(a) + (Wide<T>(1) << (n - 1))) >> n);
    }
};
struct CountBits {
    template<std::integral T> T operator()(T a) const { return static_cast<T>(std::popcount(Unsigned<T>(a))); }
};
struct LeadingZeros {
    template<std::integral T> T operator()(T a) const { return static_cast<T>(std::countl_zero(Unsigned<T>(a))); }
};
struct TrailingZeros {
    template<std::integral T> T operator()(T a) const { return static_cast<T>(std::countr_zero(Unsigned<T>(a))); }
};

}  // namespace

EMULSION_BIND_BY_TYPE(bit_and, And)
EMULSION_BIND_BY_TYPE(bit_or, Or)
EMULSION_BIND_BY_TYPE(bit_xor, Xor)
EMULSION_BIND_BY_TYPE(bit_not, Not)
EMULSION_BIND_BY_TYPE(shl, ShiftLeft)
EMULSION_BIND_BY_TYPE(shr, ShiftRight)
EMULSION_BIND_BY_TYPE(rounding_shr, RoundingShiftRight)
EMULSION_BIND_BY_TYPE(count_bits, CountBits)
EMULSION_BIND_BY_TYPE(leading_zeros, LeadingZeros)
EMULSION_BIND_BY_TYPE(trailing_zeros, TrailingZeros)

}  // namespace emulsion::micro
