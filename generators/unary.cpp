// Element-wise functions: out = function(in), by name (operators.def, unary and clip).
//
//   in   type, 1 dimension (flatten the others)
//   out  type, shape of in; uint8 0 or 1 for is_nan is_inf logical_not
//   alpha, beta, gamma  parameters of the function, as ONNX has them; clip: alpha is the lower and beta the upper bound
// Numerics: floats are computed in float32 by the formulas of the table below, with exp, log, sin ... of dsl/elementary.h; float16 and bfloat16 round once at the end. Integers: the integer table, wrapping. Sources: TFLite reference
// kernels (logistic with its cut-offs, leaky_relu, hard_swish), ONNX operator definitions.
#include "generators/tile.h"

#include <cmath>

namespace emulsion::generators {

namespace {

using namespace Halide;

struct Parameters {
    float alpha = 0, beta = 0, gamma = 0;
    Form form = Form::plain;

    Expr exp(const Expr &x) const { return elementary::exp(x, form); }
    Expr log(const Expr &x) const { return elementary::log(x, form); }
    Expr sin(const Expr &x) const { return elementary::sin(x, form); }
    Expr cos(const Expr &x) const { return elementary::cos(x, form); }
    Expr tanh(const Expr &x) const { return elementary::tanh(x, form); }
    Expr erf(const Expr &x) const { return elementary::erf(x, form); }
    Expr asin(const Expr &x) const { return elementary::asin(x, form); }
    Expr acos(const Expr &x) const { return elementary::acos(x, form); }
    Expr atan(const Expr &x) const { return elementary::atan(x, form); }
};

struct NamedFunction {
    std::string_view name;
    Expr (*value)(const Expr &x, const Parameters &p);
};

/// exp(x) - 1 without cancellation near 0.
Expr expm1(const Expr &x, const Parameters &p) {
    const Expr t = p.tanh(x * 0.5f);
    return select(abs(x) < 1.0f, 2.0f * t / (1.0f - t), p.exp(x) - 1.0f);
}

Expr logistic(const Expr &x, const Parameters &p) {
    return select(x > 16.619047164916992188f, 1.0f, select(x < -9.0f, p.exp(x), 1.0f / (1.0f + p.exp(-x))));
}

Expr softplus(const Expr &x, const Parameters &p) { return select(x > 0.0f, x + p.log(p.exp(-x) + 1.0f), p.log(p.exp(x) + 1.0f)); }

/// f(|x|) with the sign of x.
Expr odd(const Expr &x, const Expr &f) { return select(x < 0.0f, -f, f); }

Expr bounded(const Expr &x, float low, float high) {
    Expr y = x;
    if (!std::isinf(low)) y = select(y < low, low, y);
    if (!std::isinf(high)) y = select(y > high, high, y);
    return y;
}

constexpr NamedFunction real_functions[] = {
    {"abs", [](const Expr &x, const Parameters &) { return abs(x); }},
    {"neg", [](const Expr &x, const Parameters &) { return x * cast(x.type(), -1); }},  // Halide's -x is 0 - x, which makes +0 of both zeros
    {"exp", [](const Expr &x, const Parameters &p) { return p.exp(x); }},
    {"log", [](const Expr &x, const Parameters &p) { return p.log(x); }},
    {"sqrt", [](const Expr &x, const Parameters &) { return sqrt(x); }},
    {"rsqrt", [](const Expr &x, const Parameters &) { return 1.0f / sqrt(x); }},
    {"reciprocal", [](const Expr &x, const Parameters &) { return 1.0f / x; }},
    {"sin", [](const Expr &x, const Parameters &p) { return p.sin(x); }},
    {"cos", [](const Expr &x, const Parameters &p) { return p.cos(x); }},
    {"tan", [](const Expr &x, const Parameters &p) { return p.sin(x) / p.cos(x); }},
    {"asin", [](const Expr &x, const Parameters &p) { return p.asin(x); }},
    {"acos", [](const Expr &x, const Parameters &p) { return p.acos(x); }},
    {"atan", [](const Expr &x, const Parameters &p) { return p.atan(x); }},
    {"sinh", [](const Expr &x, const Parameters &p) {
         const Expr e = expm1(abs(x), p);
         return odd(x, 0.5f * (e + e / (e + 1.0f)));
     }},
    {"cosh", [](const Expr &x, const Parameters &p) { return 0.5f * (p.exp(x) + p.exp(-x)); }},
    {"tanh", [](const Expr &x, const Parameters &p) { return p.tanh(x); }},
    {"asinh", [](const Expr &x, const Parameters &p) {
         const Expr a = abs(x);
         return select(a < 0.01f, x - elementary::quotient(x * x * x, 6.0f), odd(x, p.log(a + sqrt(a * a + 1.0f))));
     }},
    {"acosh", [](const Expr &x, const Parameters &p) { return p.log(x + sqrt(x * x - 1.0f)); }},
    {"atanh", [](const Expr &x, const Parameters &p) {
         return select(abs(x) < 0.01f, x + elementary::quotient(x * x * x, 3.0f), 0.5f * p.log((1.0f + x) / (1.0f - x)));
     }},
    {"logistic", [](const Expr &x, const Parameters &p) { return logistic(x, p); }},
    {"erf", [](const Expr &x, const Parameters &p) { return p.erf(x); }},
    {"floor", [](const Expr &x, const Parameters &) { return floor(x); }},
    {"ceil", [](const Expr &x, const Parameters &) { return ceil(x); }},
    {"round", [](const Expr &x, const Parameters &) { return round(x); }},
    {"sign", [](const Expr &x, const Parameters &) { return select(x > 0.0f, 1.0f, select(x < 0.0f, -1.0f, x)); }},
    {"relu", [](const Expr &x, const Parameters &) { return bounded(x, 0, INFINITY); }},
    {"relu6", [](const Expr &x, const Parameters &) { return bounded(x, 0, 6); }},
    {"relu_n1_to_1", [](const Expr &x, const Parameters &) { return bounded(x, -1, 1); }},
    {"clip", [](const Expr &x, const Parameters &p) { return bounded(x, p.alpha, p.beta); }},
    {"leaky_relu", [](const Expr &x, const Parameters &p) { return select(x > 0.0f, x, x * p.alpha); }},
    {"elu", [](const Expr &x, const Parameters &p) { return select(x < 0.0f, p.alpha * expm1(x, p), x); }},
    {"celu", [](const Expr &x, const Parameters &p) { return select(x < 0.0f, p.alpha * expm1(elementary::quotient(x, p.alpha), p), x); }},
    {"selu", [](const Expr &x, const Parameters &p) { return p.gamma * select(x < 0.0f, p.alpha * expm1(x, p), x); }},
    {"gelu", [](const Expr &x, const Parameters &p) { return 0.5f * x * (1.0f + p.erf(x * 0.70710678118654752440f)); }},
    {"gelu_tanh", [](const Expr &x, const Parameters &p) {
         return 0.5f * x * (1.0f + p.tanh(0.79788456080286535588f * (x + 0.044715f * (x * x * x))));
     }},
    {"softplus", [](const Expr &x, const Parameters &p) { return softplus(x, p); }},
    {"softsign", [](const Expr &x, const Parameters &) { return x / (1.0f + abs(x)); }},
    {"hard_sigmoid", [](const Expr &x, const Parameters &p) { return bounded(x * p.alpha + p.beta, 0, 1); }},
    {"hard_swish", [](const Expr &x, const Parameters &) { return elementary::quotient(x * bounded(x + 3.0f, 0, 6), 6.0f); }},
    {"mish", [](const Expr &x, const Parameters &p) { return x * p.tanh(softplus(x, p)); }},
    {"swish", [](const Expr &x, const Parameters &p) { return x * logistic(x * p.alpha, p); }},
    {"threshold", [](const Expr &x, const Parameters &p) { return select(x > p.alpha, x, 0.0f); }},
    {"square", [](const Expr &x, const Parameters &) { return x * x; }},
    {"is_nan", [](const Expr &x, const Parameters &) { return select(is_nan(x), cast<uint8_t>(1), cast<uint8_t>(0)); }},
    {"is_inf", [](const Expr &x, const Parameters &) { return select(abs(x) == INFINITY, cast<uint8_t>(1), cast<uint8_t>(0)); }},
};

/// Bounds as far as the type has them.
Expr bounded_integer(const Expr &x, double low, double high) {
    const Type t = x.type();
    Expr y = x;
    if (std::isfinite(low)) y = max(y, saturating_cast(t, Expr(static_cast<int64_t>(std::ceil(low)))));
    if (std::isfinite(high)) y = min(y, saturating_cast(t, Expr(static_cast<int64_t>(std::floor(high)))));
    return y;
}

constexpr NamedFunction integer_functions[] = {
    {"abs", [](const Expr &x, const Parameters &) { return cast(x.type(), select(x < cast(x.type(), 0), cast(x.type(), 0) - x, x)); }},
    {"neg", [](const Expr &x, const Parameters &) { return cast(x.type(), 0) - x; }},
    {"sign", [](const Expr &x, const Parameters &) {
         return cast(x.type(), select(x > cast(x.type(), 0), 1, select(x < cast(x.type(), 0), -1, 0)));
     }},
    {"square", [](const Expr &x, const Parameters &) { return x * x; }},
    {"bit_not", [](const Expr &x, const Parameters &) { return ~x; }},
    {"logical_not", [](const Expr &x, const Parameters &) { return select(x == cast(x.type(), 0), cast<uint8_t>(1), cast<uint8_t>(0)); }},
    {"relu", [](const Expr &x, const Parameters &) { return bounded_integer(x, 0, INFINITY); }},
    {"relu6", [](const Expr &x, const Parameters &) { return bounded_integer(x, 0, 6); }},
    {"relu_n1_to_1", [](const Expr &x, const Parameters &) { return bounded_integer(x, -1, 1); }},
    {"clip", [](const Expr &x, const Parameters &p) { return bounded_integer(x, p.alpha, p.beta); }},
};

}  // namespace

class Unary : public emulsion::Generator<Unary> {
public:
    static constexpr const char *says = "An element-wise function by name.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<std::string> function{"function", "relu"};
    GeneratorParam<float> alpha{"alpha", 0.0f}, beta{"beta", 0.0f}, gamma{"gamma", 0.0f};
    GeneratorParam<int> tile{"tile", 4096};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(1);
        const std::string &f = function.value();
        out.set_type(f == "is_nan" || f == "is_inf" || f == "logical_not" ? UInt(8) : Type(type));
        out.set_dimensions(1);
    }

    void generate() {
        const bool real = !type.value().is_int_or_uint();
        const Expr x = real ? cast<float>(in(i)) : Expr(in(i));
        const Expr y = row(real).value(x, {alpha, beta, gamma, form()});
        out(i) = y.type() == UInt(8) ? y : cast(type, y);
    }

    void npu_schedule() { stage_tile(in, out, tile_rows(out, tile, depth), depth); }

private:
    Var i{"i"};

    const NamedFunction &row(bool real) const {
        const NamedFunction *first = real ? std::begin(real_functions) : std::begin(integer_functions);
        const NamedFunction *last = real ? std::end(real_functions) : std::end(integer_functions);
        const NamedFunction *found = std::find_if(first, last, [&](const NamedFunction &f) { return f.name == function.value(); });
        if (found == last) throw Halide::CompileError("unary: no function \"" + function.value() + "\" for this type");
        return *found;
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Unary, unary)
