// unary, clip, prelu. 8-bit quantised tensors go through a table (unary_table.h); other types through generator unary.
#include "graph/ops/broadcast.h"
#include "graph/ops/rules.h"
#include "graph/ops/unary_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph {

namespace {

struct Defaults {
    std::string_view function;
    double alpha, beta, gamma;
};
// Where a function has parameters: ONNX's defaults.
constexpr Defaults defaults[] = {
    {"leaky_relu", 0.01, 0, 0}, {"elu", 1, 0, 0}, {"celu", 1, 0, 0}, {"selu", 1.67326319217681884765625, 0, 1.05070102214813232421875},
    {"hard_sigmoid", 0.2, 0.5, 0}, {"threshold", 1, 0, 0}, {"swish", 1, 0, 0}};

Defaults parameters(const Node &node) {
    const std::string function = node.text("function");
    Defaults d{function, 0, 0, 0};
    for (const Defaults &row : defaults)
        if (row.function == function) d = row;
    return {d.function, node.real("alpha", d.alpha), node.real("beta", d.beta), node.real("gamma", d.gamma)};
}

bool is_predicate(const std::string &function) { return function == "is_nan" || function == "is_inf" || function == "logical_not"; }

struct Clamp {
    std::string_view function;
    double low, high;
};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Clamp clamps[] = {{"relu", 0, infinity}, {"relu6", 0, 6}, {"relu_n1_to_1", -1, 1}};

TableFunction table_function(const Node &node, const Value &in, const Value &out, const Defaults &d) {
    return {.in_scale = scale_of(node, in), .out_scale = scale_of(node, out), .in_zero = zero_point_of(node, in), .out_zero = zero_point_of(node, out),
            .is_signed = info(in.type).is_signed, .alpha = static_cast<float>(d.alpha), .beta = static_cast<float>(d.beta), .gamma = static_cast<float>(d.gamma)};
}

/// One call on all elements in a row.
KernelCall flat_call(const Graph &graph, const Node &node, const char *generator) {
    const std::vector<int> shape = innermost_first(node, {element_count(extents(input(graph, node, 0)))});
    KernelCall call{.generator = generator};
    call.arguments = {value_argument(graph, node, "in", input_id(node, 0), shape), result_argument(graph, node, "out", node.outputs[0], shape)};
    return call;
}

std::vector<KernelCall> table_call(const Graph &graph, const Node &node, const std::array<int32_t, 256> &entries) {
    KernelCall call = flat_call(graph, node, "activation");
    const ElementType in = call.arguments[0].type, out = call.arguments[1].type;
    call.params = {{"in_type", type_name(in)}, {"out_type", type_name(out)}, {"rank", "1"}};
    std::vector<uint8_t> bytes;
    for (int32_t e : entries) bytes.push_back(static_cast<uint8_t>(e));
    call.arguments.push_back(data_argument("table", out, {256}, std::move(bytes)));
    return {std::move(call)};
}

void check_table(const Node &node, const Value &in, const Value &out) {
    if (info(in.type).bits != 8 || out.type != in.type || !is_quantized(out))
        unsupported(node, fmt::format("{} of quantised {}", node.op, info(in.type).name), "quantise input and output to the same 8-bit type");
}

std::vector<KernelCall> real_call(const Graph &graph, const Node &node, const std::string &function, const Defaults &d) {
    KernelCall call = flat_call(graph, node, "unary");
    call.params = {{"type", type_name(call.arguments[0].type)}, {"function", function}, {"alpha", number(d.alpha)}, {"beta", number(d.beta)}, {"gamma", number(d.gamma)}};
    return {std::move(call)};
}

constexpr std::string_view integer_functions[] = {"abs", "neg", "sign", "square", "bit_not", "logical_not", "relu", "relu6", "relu_n1_to_1"};

}  // namespace

void infer_unary(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    const bool keeps_stated = !output(graph, node).quantization.empty();
    set_output(graph, node, 0, in, in.shape, !keeps_stated);
    if (is_predicate(node.text("function"))) output(graph, node).type = DataType::boolean;
}

std::vector<KernelCall> lower_unary(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    const std::string function = node.text("function");
    const Defaults d = parameters(node);
    if (!is_quantized(in)) {
        const bool known = std::find(std::begin(integer_functions), std::end(integer_functions), function) != std::end(integer_functions);
        if (!info(in.type).is_float && !known) unsupported(node, fmt::format("{} of {}", function, info(in.type).name), "convert to float");
        return real_call(graph, node, function, d);
    }
    check_table(node, in, out);
    const TableFunction t = table_function(node, in, out, d);
    for (const Clamp &c : clamps)
        if (c.function == function) return table_call(graph, node, clamp_table(node, out, t, c.low, c.high));
    return table_call(graph, node, unary_table(node, function, t));
}

void infer_clip(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    if (node.real("low", -infinity) > node.real("high", infinity)) mismatch(node, "low is above high");
    set_output(graph, node, 0, in, in.shape, output(graph, node).quantization.empty());
}

std::vector<KernelCall> lower_clip(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    const Defaults d{"clip", node.real("low", -infinity), node.real("high", infinity), 0};
    if (!is_quantized(in)) return real_call(graph, node, "clip", d);
    check_table(node, in, out);
    return table_call(graph, node, clamp_table(node, out, table_function(node, in, out, d), d.alpha, d.beta));
}

void infer_prelu(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    const Shape shape = broadcast_shape(node, {in.shape, input(graph, node, 1).shape});
    if (shape != in.shape) mismatch(node, "the slope has more elements than the input");
    set_output(graph, node, 0, in, in.shape, output(graph, node).quantization.empty());
}

/// prelu.h BroadcastPrelu4DSlow: x >= 0 by one factor, x * slope by another; both float32 quotients.
std::vector<KernelCall> lower_prelu(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &slope = input(graph, node, 1), &out = output(graph, node);
    const MergedOperands merged = merge_operands(graph, node, 2);
    KernelCall call{.generator = "prelu"};
    auto &p = call.params;
    p = {{"type", type_name(element_type(node, in))}, {"rank", std::to_string(merged.rank())},
         {"a_broadcast", std::to_string(merged.broadcast[0])}, {"b_broadcast", std::to_string(merged.broadcast[1])}};
    call.arguments = {value_argument(graph, node, "a", input_id(node, 0), merged.operands[0]),
                      value_argument(graph, node, "b", input_id(node, 1), merged.operands[1]),
                      result_argument(graph, node, "out", node.outputs[0], merged.extents)};
    if (slope.type != in.type || is_quantized(slope) != is_quantized(in)) unsupported(node, "a slope of another type than the input", "convert the slope");
    if (!is_quantized(in)) return {std::move(call)};
    check_table(node, in, out);
    p["quantized"] = "true";
    p["a_zero"] = std::to_string(zero_point_of(node, in));
    p["b_zero"] = std::to_string(zero_point_of(node, slope));
    p["out_zero"] = std::to_string(zero_point_of(node, out));
    const float a = scale_of(node, in), b = scale_of(node, slope), c = scale_of(node, out), product = a * b;
    const FixedPoint positive = fixed_point(a / c), negative = fixed_point(product / c);
    call.scalars = {{"a_multiplier", positive.multiplier}, {"a_shift", positive.shift}, {"out_multiplier", negative.multiplier}, {"out_shift", negative.shift}};
    return {std::move(call)};
}

}  // namespace emulsion::graph
