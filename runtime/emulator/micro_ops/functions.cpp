// Rounding and transcendental micro-ops. One exact definition: the double-precision function, rounded once to f32.
#include "runtime/emulator/micro_ops/block.h"

#include <cmath>

namespace emulsion::micro {
namespace {

template<double function(double)>
struct Function {
    template<std::floating_point T> T operator()(T a) const { return static_cast<T>(function(static_cast<double>(a))); }
};
template<double function(double, double)>
struct Function2 {
    template<std::floating_point T> T operator()(T a, T b) const {
        return static_cast<T>(function(static_cast<double>(a), static_cast<double>(b)));
    }
};

}  // namespace

EMULSION_BIND_BY_TYPE(floor, Function<std::floor>)
EMULSION_BIND_BY_TYPE(ceil, Function<std::ceil>)
EMULSION_BIND_BY_TYPE(trunc, Function<std::trunc>)
EMULSION_BIND_BY_TYPE(round, Function<std::nearbyint>)
EMULSION_BIND_BY_TYPE(sqrt, Function<std::sqrt>)
EMULSION_BIND_BY_TYPE(exp, Function<std::exp>)
EMULSION_BIND_BY_TYPE(log, Function<std::log>)
EMULSION_BIND_BY_TYPE(sin, Function<std::sin>)
EMULSION_BIND_BY_TYPE(cos, Function<std::cos>)
EMULSION_BIND_BY_TYPE(tanh, Function<std::tanh>)
EMULSION_BIND_BY_TYPE(erf, Function<std::erf>)
EMULSION_BIND_BY_TYPE(asin, Function<std::asin>)
EMULSION_BIND_BY_TYPE(acos, Function<std::acos>)
EMULSION_BIND_BY_TYPE(atan, Function<std::atan>)
EMULSION_BIND_BY_TYPE(pow, Function2<std::pow>)
EMULSION_BIND_BY_TYPE(atan2, Function2<std::atan2>)

}  // namespace emulsion::micro
