// Element-wise operators of one, two and three tensors.
#include "graph/import/tflite/operator_import.h"

namespace emulsion::graph::tflite {
namespace {

using Op = OperatorImport;

/// `activation_field`: number of the fused activation's option, -1: none.
void binary(Op &op, const char *name, int activation_field) {
    std::map<std::string, Attribute> attributes;
    if (activation_field >= 0) attributes["activation"] = op.activation(op.options.integer8(activation_field));
    const std::string_view n = name;
    if (n == "add" || n == "sub" || n == "mul") attributes["rounding"] = std::string("double");
    op.add(name, {op.input(0), op.input(1)}, std::move(attributes));
}

void with_function(Op &op, const char *name, const char *function) {
    op.add(name, {op.input(0), op.input(1)}, {{"function", std::string(function)}});
}

void unary(Op &op, const char *function) { op.add("unary", {op.input(0)}, {{"function", std::string(function)}}); }

void leaky_relu(Op &op) { op.add("unary", {op.input(0)}, {{"function", std::string("leaky_relu")}, {"alpha", double{op.options.real(0)}}}); }

void squared_difference(Op &op) {
    const ValueId difference = op.add_step("difference", "sub", {op.input(0), op.input(1)}, op.out());
    op.add("mul", {difference, difference});
}

void floor_div(Op &op) {
    const ValueId quotient = op.add_step("quotient", "div", {op.input(0), op.input(1)}, op.out());
    op.add("unary", {quotient}, {{"function", std::string("floor")}});
}

}  // namespace

std::vector<OperatorRow> elementwise_rows() {
    return {
        {0, "ADD", [](Op &op) { binary(op, "add", 0); }},
        {41, "SUB", [](Op &op) { binary(op, "sub", 0); }},
        {18, "MUL", [](Op &op) { binary(op, "mul", 0); }},
        {42, "DIV", [](Op &op) { binary(op, "div", 0); }},
        {57, "MINIMUM", [](Op &op) { binary(op, "minimum", -1); }},
        {55, "MAXIMUM", [](Op &op) { binary(op, "maximum", -1); }},
        {78, "POW", [](Op &op) { binary(op, "pow", -1); }},
        {95, "FLOOR_MOD", [](Op &op) { binary(op, "modulo", -1); }},
        {90, "FLOOR_DIV", floor_div},
        {99, "SQUARED_DIFFERENCE", squared_difference},
        {71, "EQUAL", [](Op &op) { with_function(op, "compare", "equal"); }},
        {72, "NOT_EQUAL", [](Op &op) { with_function(op, "compare", "not_equal"); }},
        {58, "LESS", [](Op &op) { with_function(op, "compare", "less"); }},
        {63, "LESS_EQUAL", [](Op &op) { with_function(op, "compare", "less_equal"); }},
        {61, "GREATER", [](Op &op) { with_function(op, "compare", "greater"); }},
        {62, "GREATER_EQUAL", [](Op &op) { with_function(op, "compare", "greater_equal"); }},
        {84, "LOGICAL_OR", [](Op &op) { with_function(op, "bitwise", "or"); }},
        {86, "LOGICAL_AND", [](Op &op) { with_function(op, "bitwise", "and"); }},
        {160, "BITWISE_XOR", [](Op &op) { with_function(op, "bitwise", "xor"); }},
        {161, "RIGHT_SHIFT", [](Op &op) { with_function(op, "bitwise", "shift_right"); }},
        {64, "SELECT", [](Op &op) { op.add("select", {op.input(0), op.input(1), op.input(2)}); }},
        {123, "SELECT_V2", [](Op &op) { op.add("select", {op.input(0), op.input(1), op.input(2)}); }},
        {54, "PRELU", [](Op &op) { op.add("prelu", {op.input(0), op.input(1)}); }},
        {98, "LEAKY_RELU", leaky_relu},
        {14, "LOGISTIC", [](Op &op) { unary(op, "logistic"); }},
        {28, "TANH", [](Op &op) { unary(op, "tanh"); }},
        {19, "RELU", [](Op &op) { unary(op, "relu"); }},
        {20, "RELU_N1_TO_1", [](Op &op) { unary(op, "relu_n1_to_1"); }},
        {21, "RELU6", [](Op &op) { unary(op, "relu6"); }},
        {152, "RELU_0_TO_1", [](Op &op) { op.add("clip", {op.input(0)}, {{"low", 0.0}, {"high", 1.0}}); }},
        {111, "ELU", [](Op &op) { op.add("unary", {op.input(0)}, {{"function", std::string("elu")}, {"alpha", 1.0}}); }},
        {117, "HARD_SWISH", [](Op &op) { unary(op, "hard_swish"); }},
        {150, "GELU", [](Op &op) { unary(op, op.options.boolean(0) ? "gelu_tanh" : "gelu"); }},
        {47, "EXP", [](Op &op) { unary(op, "exp"); }},
        {73, "LOG", [](Op &op) { unary(op, "log"); }},
        {75, "SQRT", [](Op &op) { unary(op, "sqrt"); }},
        {76, "RSQRT", [](Op &op) { unary(op, "rsqrt"); }},
        {101, "ABS", [](Op &op) { unary(op, "abs"); }},
        {59, "NEG", [](Op &op) { unary(op, "neg"); }},
        {66, "SIN", [](Op &op) { unary(op, "sin"); }},
        {108, "COS", [](Op &op) { unary(op, "cos"); }},
        {8, "FLOOR", [](Op &op) { unary(op, "floor"); }},
        {104, "CEIL", [](Op &op) { unary(op, "ceil"); }},
        {116, "ROUND", [](Op &op) { unary(op, "round"); }},
        {92, "SQUARE", [](Op &op) { unary(op, "square"); }},
        {158, "SIGN", [](Op &op) { unary(op, "sign"); }},
        {87, "LOGICAL_NOT", [](Op &op) { unary(op, "logical_not"); }},
        {114, "QUANTIZE", [](Op &op) { op.add("quantize", {op.input(0)}, {{"ties", std::string("away")}}); }},
        {6, "DEQUANTIZE", [](Op &op) { op.add("dequantize", {op.input(0)}); }},
        {53, "CAST", [](Op &op) { op.add("cast", {op.input(0)}); }},
    };
}

}  // namespace emulsion::graph::tflite
