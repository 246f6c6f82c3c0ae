// The binomial filter 1 4 6 4 1 in both directions, in two passes of 16-bit integers.
#pragma once
#include "dsl/halide.h"

namespace emulsion::generators {

/// Five taps at f(-2) … f(2), sum of weights 16: at most 4080 from bytes.
template<typename F>
Halide::Expr binomial(F f) {
    const auto at = [&](int k) { return Halide::cast<uint16_t>(f(k)); };
    return at(-2) + at(2) + (at(-1) + at(1)) * Halide::cast<uint16_t>(4) + at(0) * Halide::cast<uint16_t>(6);
}

/// The second pass over the first's sums, rounded to nearest: (sum + 128) / 256 fits 16 bits (65280 + 128).
inline Halide::Expr binomial_round(const Halide::Expr &sum) {
    return Halide::cast<uint8_t>((sum + Halide::cast<uint16_t>(128)) >> Halide::cast<uint16_t>(8));
}

}  // namespace emulsion::generators
