// Arithmetic micro-ops. Integers wrap to their type; floats are f32 operations.
#include "runtime/emulator/micro_ops/block.h"

#include <cmath>
#include <limits>

namespace emulsion::micro {
namespace {

struct Add {
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>(Unsigned<T>(a) + Unsigned<T>(b)); }
    template<std::floating_point T> T operator()(T a, T b) const { return a + b; }
};
struct Sub {
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>(Unsigned<T>(a) - Unsigned<T>(b)); }
    template<std::floating_point T> T operator()(T a, T b) const { return a - b; }
};
struct Mul {
    // Through uint64: the product of two uint16 overflows the int they would promote to.
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>(uint64_t(a) * uint64_t(b)); }
    template<std::floating_point T> T operator()(T a, T b) const { return a * b; }
};
struct Div {
    template<std::integral T> T operator()(T a, T b) const {
        if (b == 0) return 0;
        const Wide<T> x = a, y = b, q = x / y;
        return static_cast<T>(x - q * y >= 0 ? q : y > 0 ? q - 1 : q + 1);
    }
    template<std::floating_point T> T operator()(T a, T b) const { return a / b; }
};
struct Mod {
    template<std::integral T> T operator()(T a, T b) const {
        if (b == 0) return 0;
        const Wide<T> y = b, r = Wide<T>(a) % y;
        return static_cast<T>(r >= 0 ? r : y > 0 ? r + y : r - y);
    }
    template<std::floating_point T> T operator()(T a, T b) const { return a - b * std::floor(a / b); }
};
// NaN and signed zeros as in Halide on x86, whose minss takes its second operand when the comparison fails.
struct Min {
    template<typename T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Max {
    template<typename T> T operator()(T a, T b) const { return a > b ? a : b; }
};
struct Absolute {
    template<std::integral T> T operator()(T a) const { return static_cast<T>(a < 0 ? 0 - Unsigned<T>(a) : Unsigned<T>(a)); }
    template<std::floating_point T> T operator()(T a) const { return std::fabs(a); }
};
struct AbsoluteDifference {
    template<std::integral T> T operator()(T a, T b) const {
        return static_cast<T>(a < b ? Unsigned<T>(b) - Unsigned<T>(a) : Unsigned<T>(a) - Unsigned<T>(b));
    }
    template<std::floating_point T> T operator()(T a, T b) const { return std::fabs(a - b); }
};
struct MulHigh {
    template<std::integral T> T operator()(T a, T b) const {
        return static_cast<T>((WideProduct<T>(a) * WideProduct<T>(b)) >> (8 * sizeof(T)));
    }
};
struct SaturatingAdd {
    template<std::integral T> T operator()(T a, T b) const { return clamped<T>(Wide<T>(a) + b); }
};
struct SaturatingSub {
    template<std::integral T> T operator()(T a, T b) const { return clamped<T>(Wide<T>(a) - b); }
};
struct HalvingAdd {
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>((Wide<T>(a) + b) >> 1); }
};
struct RoundingHalvingAdd {
    template<std::integral T> T operator()(T a, T b) const { return static_cast<T>((Wide<T>(a) + b + 1) >> 1); }
};

}  // namespace

EMULSION_BIND_BY_TYPE(add, Add)
EMULSION_BIND_BY_TYPE(sub, Sub)
EMULSION_BIND_BY_TYPE(mul, Mul)
EMULSION_BIND_BY_TYPE(div, Div)
EMULSION_BIND_BY_TYPE(mod, Mod)
EMULSION_BIND_BY_TYPE(min, Min)
EMULSION_BIND_BY_TYPE(max, Max)
EMULSION_BIND_BY_TYPE(absolute, Absolute)
EMULSION_BIND_BY_TYPE(absd, AbsoluteDifference)
EMULSION_BIND_BY_TYPE(mulh, MulHigh)
EMULSION_BIND_BY_TYPE(saturating_add, SaturatingAdd)
EMULSION_BIND_BY_TYPE(saturating_sub, SaturatingSub)
EMULSION_BIND_BY_TYPE(halving_add, HalvingAdd)
EMULSION_BIND_BY_TYPE(rounding_halving_add, RoundingHalvingAdd)

}  // namespace emulsion::micro
