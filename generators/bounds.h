// Bounds of a result: the fused activation.
#pragma once
#include "dsl/emulsion.h"

#include <cmath>
#include <limits>

namespace emulsion::generators {

/// Generator parameters out_min and out_max; a member of the generator that clamps. Infinite: no bound.
struct Bounds {
    Halide::GeneratorParam<double> low{"out_min", -std::numeric_limits<double>::infinity()};
    Halide::GeneratorParam<double> high{"out_max", std::numeric_limits<double>::infinity()};

    /// x within the bounds, in x's own type.
    Halide::Expr clamp(Halide::Expr x) const {
        if (!std::isinf(low.value())) x = Halide::max(x, Halide::cast(x.type(), Halide::Expr(low.value())));
        if (!std::isinf(high.value())) x = Halide::min(x, Halide::cast(x.type(), Halide::Expr(high.value())));
        return x;
    }
};

}  // namespace emulsion::generators
