// Elementary functions with the machine's definition in both forms: the C library's double-precision function of a float32 argument,
// rounded once to float32. Halide's own exp and log are polynomials on x86 and would differ in last bits.
#pragma once
#include "dsl/form.h"

namespace emulsion::elementary {

// x: float32, or converted to it.
Halide::Expr exp(Halide::Expr x, Form form);
Halide::Expr log(Halide::Expr x, Form form);
Halide::Expr sin(Halide::Expr x, Form form);
Halide::Expr cos(Halide::Expr x, Form form);
Halide::Expr tanh(Halide::Expr x, Form form);
Halide::Expr erf(Halide::Expr x, Form form);
Halide::Expr asin(Halide::Expr x, Form form);
Halide::Expr acos(Halide::Expr x, Form form);
Halide::Expr atan(Halide::Expr x, Form form);

/// a / b in float32, rounded once. The simplifier turns a division by a known number into a product with its reciprocal, in which
/// two roundings take part; a kernel compiled for one shape would then differ from one for any shape.
Halide::Expr quotient(Halide::Expr a, Halide::Expr b);

}  // namespace emulsion::elementary
