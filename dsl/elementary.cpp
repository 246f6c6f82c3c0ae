#include "dsl/elementary.h"

#include <string>

namespace emulsion::elementary {

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Internal::Call;

Expr function(const char *name, const Expr &x, Form form) {
    const Expr argument = cast<float>(x);
    if (form == Form::npu) return Call::make(Halide::Float(32), std::string(name) + "_f32", {argument}, Call::PureExtern);
    // By the C library's name, so that no pass knows another way to compute it.
    return cast<float>(Call::make(Halide::Float(64), name, {cast<double>(argument)}, Call::PureExtern));
}

}  // namespace

Expr exp(Expr x, Form form) { return function("exp", x, form); }
Expr log(Expr x, Form form) { return function("log", x, form); }
Expr sin(Expr x, Form form) { return function("sin", x, form); }
Expr cos(Expr x, Form form) { return function("cos", x, form); }
Expr tanh(Expr x, Form form) { return function("tanh", x, form); }
Expr erf(Expr x, Form form) { return function("erf", x, form); }
Expr asin(Expr x, Form form) { return function("asin", x, form); }
Expr acos(Expr x, Form form) { return function("acos", x, form); }
Expr atan(Expr x, Form form) { return function("atan", x, form); }

Expr quotient(Expr a, Expr b) {
    return Call::make(Halide::Float(32), Call::strict_div, {cast<float>(a), cast<float>(b)}, Call::PureIntrinsic);
}

}  // namespace emulsion::elementary
