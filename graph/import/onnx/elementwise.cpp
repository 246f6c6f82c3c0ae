// Element-wise operators of one, two and three tensors.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;
constexpr double infinity = std::numeric_limits<double>::infinity();

void binary(Op &op, const char *name) { op.result(op.make(name, {op.in(0), op.in(1)})); }
void compare(Op &op, const char *function) { op.result(op.compare(function, op.in(0), op.in(1))); }
void bitwise(Op &op, const char *function) { op.result(op.bitwise(function, op.in(0), op.in(1))); }
void unary(Op &op, const char *function) { op.result(op.unary(function, op.in(0))); }

/// Parameters that the format leaves to a default: the graph's operator has the same.
void with_parameters(Op &op, const char *function, double alpha, double beta = 0, double gamma = 0) {
    op.result(op.unary(function, op.in(0), {{"alpha", op.attributes.real("alpha", alpha)}, {"beta", op.attributes.real("beta", beta)}, {"gamma", op.attributes.real("gamma", gamma)}}));
}

/// Of any number of tensors.
void fold_left(Op &op, const char *name) {
    ValueId sum = op.in(0);
    for (size_t k = 1; k < op.input_count(); k++) sum = op.make(name, {sum, op.in(k)});
    op.result(sum);
}

void mean(Op &op) {
    fold_left(op, "add");
    const ValueId sum = op.results()[0];
    op.result(op.div(sum, op.like(sum, static_cast<double>(op.input_count()))));
}

/// Computed in float32 whatever the types; the result has the base's.
void pow(Op &op) {
    const ValueId base = op.in(0);
    op.result(op.cast(op.make("pow", {op.cast(base, DataType::f32), op.cast(op.in(1), DataType::f32)}), op.type(base)));
}

bool has_infinity(Op &op, ValueId v) {
    if (!op.is_constant(v)) return true;
    const std::vector<double> all = op.reals(v);
    return std::any_of(all.begin(), all.end(), [](double x) { return std::isinf(x); });
}

/// By an infinite divisor: the dividend, or the divisor itself where the remainder takes its sign and the signs differ.
void modulo(Op &op) {
    const ValueId a = op.in(0), b = op.in(1);
    const int64_t fmod = op.attributes.integer("fmod");
    const ValueId remainder = op.make("modulo", {a, b}, {{"fmod", fmod}});
    if (op.type(a) != DataType::f32 || !has_infinity(op, b)) return op.result(remainder);
    const ValueId zero = op.like(a, 0), infinite = op.unary("is_inf", b), finite = op.compare("less", op.unary("abs", a), op.like(a, infinity));
    ValueId whole = a;
    if (!fmod) whole = op.where(op.compare("less", op.mul(op.unary("sign", a), op.unary("sign", b)), zero), b, a);
    op.result(op.where(op.bitwise("and", infinite, finite), whole, remainder));
}

bool is_number(Op &op, ValueId v) { return v == no_value || op.is_constant(v); }

void clip(Op &op) {
    const ValueId x = op.in(0), low = op.optional_in(1), high = op.optional_in(2);
    if (op.opset >= 11 && (!op.is_float(x) || !is_number(op, low) || !is_number(op, high))) {
        ValueId v = low == no_value ? x : op.maximum(x, low);
        op.result(high == no_value ? v : op.minimum(v, high));
        return;
    }
    const double l = op.opset < 11 ? op.attributes.real("min", -infinity) : low == no_value ? -infinity : op.real(low);
    const double h = op.opset < 11 ? op.attributes.real("max", infinity) : high == no_value ? infinity : op.real(high);
    op.result(op.make("clip", {x}, {{"low", std::min(l, h)}, {"high", h}}));
}

void shift(Op &op) {
    const std::string direction = op.attributes.text("direction");
    if (direction != "LEFT" && direction != "RIGHT") op.refuse("its direction is neither LEFT nor RIGHT");
    const bool left = direction == "LEFT";
    const ValueId x = op.in(0), amount = op.in(1);
    const std::string function = left ? "shift_left" : "shift_right";
    const int64_t width = info(op.type(x)).bits;
    const bool is_signed = info(op.type(x)).is_signed;
    // Amounts of the width and more, and below 0, shift everything out: only copies of the sign are left.
    ValueId beyond = op.compare("greater_equal", amount, op.like(amount, static_cast<double>(width)));
    if (is_signed) beyond = op.bitwise("or", beyond, op.compare("less", amount, op.like(amount, 0)));
    const ValueId shifted = op.bitwise(function, x, op.where(beyond, op.like(amount, static_cast<double>(width - 1)), amount));
    op.result(is_signed && !left ? shifted : op.where(beyond, op.like(x, 0), shifted));
}

void gelu(Op &op) { unary(op, op.attributes.text("approximate", "none") == "tanh" ? "gelu_tanh" : "gelu"); }

void is_infinite(Op &op) {
    const ValueId x = op.in(0);
    const bool positive = op.attributes.integer("detect_positive", 1), negative = op.attributes.integer("detect_negative", 1);
    if (positive && negative) return op.result(op.unary("is_inf", x));
    if (!positive && !negative) op.unsupported("neither infinity looked for");
    op.result(op.compare("equal", x, op.like(x, positive ? infinity : -infinity)));
}

void shrink(Op &op) {
    const ValueId x = op.in(0);
    const double bias = op.attributes.real("bias"), limit = op.attributes.real("lambd", 0.5);
    const ValueId shifted_up = op.add(x, op.like(x, bias)), shifted_down = op.sub(x, op.like(x, bias));
    const ValueId upper = op.where(op.compare("greater", x, op.like(x, limit)), shifted_down, op.like(x, 0));
    op.result(op.where(op.compare("less", x, op.like(x, -limit)), shifted_up, upper));
}

void cast_to(Op &op, DataType type) {
    const ValueId x = op.in(0);
    if (op.type(x) == type) return op.result(op.make("identity", {x}));
    const ValueId y = op.cast(x, type);
    // The conversion to float16 makes an infinity of what is no number.
    if (type != DataType::f16 || op.type(x) != DataType::f32 || op.is_constant(x)) return op.result(y);
    op.result(op.where(op.unary("is_nan", x), op.like(y, std::numeric_limits<double>::quiet_NaN()), y));
}

void cast(Op &op) { cast_to(op, data_type(static_cast<int32_t>(op.attributes.integer("to")), op.name)); }

void dropout(Op &op) {
    const ValueId x = op.in(0);
    const bool training = op.has(2) && op.integer(op.in(2)) != 0;
    const double ratio = op.has(1) && training ? op.real(op.in(1)) : op.attributes.real("ratio", 0.5);
    if (training && ratio != 0) op.unsupported("random numbers");
    op.result(op.make("identity", {x}));
    if (op.wants(1)) op.result(1, op.broadcast(op.constant(DataType::boolean, {}, Ints{1}), op.extents(x)));
}

}  // namespace

std::vector<OperatorRow> elementwise_rows() {
    return {
        {"Abs", [](Op &op) { unary(op, "abs"); }},
        {"Acos", [](Op &op) { unary(op, "acos"); }},
        {"Acosh", [](Op &op) { unary(op, "acosh"); }},
        {"Add", [](Op &op) { binary(op, "add"); }},
        {"And", [](Op &op) { bitwise(op, "and"); }},
        {"Asin", [](Op &op) { unary(op, "asin"); }},
        {"Asinh", [](Op &op) { unary(op, "asinh"); }},
        {"Atan", [](Op &op) { unary(op, "atan"); }},
        {"Atanh", [](Op &op) { unary(op, "atanh"); }},
        {"BitShift", shift},
        {"BitwiseAnd", [](Op &op) { bitwise(op, "and"); }},
        {"BitwiseNot", [](Op &op) { unary(op, "bit_not"); }},
        {"BitwiseOr", [](Op &op) { bitwise(op, "or"); }},
        {"BitwiseXor", [](Op &op) { bitwise(op, "xor"); }},
        {"Cast", cast},
        {"CastLike", [](Op &op) { cast_to(op, op.type(op.raw(1))); }},
        {"Ceil", [](Op &op) { unary(op, "ceil"); }},
        {"Celu", [](Op &op) { with_parameters(op, "celu", 1); }},
        {"Clip", clip},
        {"Cos", [](Op &op) { unary(op, "cos"); }},
        {"Cosh", [](Op &op) { unary(op, "cosh"); }},
        {"Div", [](Op &op) { binary(op, "div"); }},
        {"Dropout", dropout},
        {"Elu", [](Op &op) { with_parameters(op, "elu", 1); }},
        {"Equal", [](Op &op) { compare(op, "equal"); }},
        {"Erf", [](Op &op) { unary(op, "erf"); }},
        {"Exp", [](Op &op) { unary(op, "exp"); }},
        {"Floor", [](Op &op) { unary(op, "floor"); }},
        {"Gelu", gelu},
        {"Greater", [](Op &op) { compare(op, "greater"); }},
        {"GreaterOrEqual", [](Op &op) { compare(op, "greater_equal"); }},
        {"HardSigmoid", [](Op &op) { with_parameters(op, "hard_sigmoid", static_cast<double>(0.2f), 0.5); }},
        {"HardSwish", [](Op &op) { unary(op, "hard_swish"); }},
        {"Identity", [](Op &op) { op.result(op.make("identity", {op.raw(0)})); }},
        {"IsInf", is_infinite},
        {"IsNaN", [](Op &op) { unary(op, "is_nan"); }},
        {"LeakyRelu", [](Op &op) { with_parameters(op, "leaky_relu", static_cast<double>(0.01f)); }},
        {"Less", [](Op &op) { compare(op, "less"); }},
        {"LessOrEqual", [](Op &op) { compare(op, "less_equal"); }},
        {"Log", [](Op &op) { unary(op, "log"); }},
        {"Max", [](Op &op) { fold_left(op, "maximum"); }},
        {"Mean", mean},
        {"Min", [](Op &op) { fold_left(op, "minimum"); }},
        {"Mish", [](Op &op) { unary(op, "mish"); }},
        {"Mod", modulo},
        {"Mul", [](Op &op) { binary(op, "mul"); }},
        {"Neg", [](Op &op) { unary(op, "neg"); }},
        {"Not", [](Op &op) { unary(op, "logical_not"); }},
        {"Or", [](Op &op) { bitwise(op, "or"); }},
        {"PRelu", [](Op &op) { binary(op, "prelu"); }},
        {"Pow", pow},
        {"Reciprocal", [](Op &op) { unary(op, "reciprocal"); }},
        {"Relu", [](Op &op) { unary(op, "relu"); }},
        {"Round", [](Op &op) { unary(op, "round"); }},
        {"Selu", [](Op &op) { with_parameters(op, "selu", 1.67326319217681884765625, 0, 1.05070102214813232421875); }},
        {"Shrink", shrink},
        {"Sigmoid", [](Op &op) { unary(op, "logistic"); }},
        {"Sign", [](Op &op) { unary(op, "sign"); }},
        {"Sin", [](Op &op) { unary(op, "sin"); }},
        {"Sinh", [](Op &op) { unary(op, "sinh"); }},
        {"Softplus", [](Op &op) { unary(op, "softplus"); }},
        {"Softsign", [](Op &op) { unary(op, "softsign"); }},
        {"Sqrt", [](Op &op) { unary(op, "sqrt"); }},
        {"Sub", [](Op &op) { binary(op, "sub"); }},
        {"Sum", [](Op &op) { fold_left(op, "add"); }},
        {"Swish", [](Op &op) { with_parameters(op, "swish", 1); }},
        {"Tan", [](Op &op) { unary(op, "tan"); }},
        {"Tanh", [](Op &op) { unary(op, "tanh"); }},
        {"ThresholdedRelu", [](Op &op) { with_parameters(op, "threshold", 1); }},
        {"Where", [](Op &op) { op.result(op.where(op.in(0), op.in(1), op.in(2))); }},
        {"Xor", [](Op &op) { bitwise(op, "xor"); }},
    };
}

}  // namespace emulsion::graph::onnx_import
