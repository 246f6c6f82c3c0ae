// add, sub, mul. Sources: TFLite reference ADD, SUB, MUL; ONNX Add, Sub, Mul, quantised as dequantize, float32 operation, quantize.
#include "graph/ops/broadcast.h"
#include "graph/ops/quantized.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph {

namespace {

void infer_binary(Graph &graph, const Node &node) {
    const Value &a = input(graph, node, 0), &b = input(graph, node, 1);
    if (a.type != b.type) mismatch(node, fmt::format("{} and {}", info(a.type).name, info(b.type).name));
    set_output(graph, node, 0, a, broadcast_shape(node, {a.shape, b.shape}), false);
}

KernelCall elementwise_call(const Graph &graph, const Node &node, const char *generator) {
    const MergedOperands merged = merge_operands(graph, node, 2);
    const Value &a = input(graph, node, 0), &b = input(graph, node, 1), &out = output(graph, node);
    KernelCall call{.generator = generator};
    auto &p = call.params;
    p["type"] = type_name(element_type(node, a));
    p["rank"] = std::to_string(merged.rank());
    p["a_broadcast"] = std::to_string(merged.broadcast[0]);
    p["b_broadcast"] = std::to_string(merged.broadcast[1]);
    call.arguments = {value_argument(graph, node, "a", input_id(node, 0), merged.operands[0]),
                      value_argument(graph, node, "b", input_id(node, 1), merged.operands[1]),
                      result_argument(graph, node, "out", node.outputs[0], merged.extents)};
    set_range(p, activation_range(node, out));
    const bool quantized = is_quantized(out);
    if (quantized != is_quantized(a) || quantized != is_quantized(b))
        unsupported(node, "quantised operands together with plain ones", "quantise both operands and the result, or none");
    if (!quantized) return call;
    if (info(out.type).bits > 16) unsupported(node, fmt::format("quantised operands of type {}", info(out.type).name), "quantise to 8 bits");
    p["quantized"] = "true";
    p["a_zero"] = std::to_string(zero_point_of(node, a));
    p["b_zero"] = std::to_string(zero_point_of(node, b));
    p["out_zero"] = std::to_string(zero_point_of(node, out));
    return call;
}

void add_fixed_point(KernelCall &call, const std::string &operand, double scale) {
    const FixedPoint f = fixed_point(scale);
    call.scalars[operand + "_multiplier"] = f.multiplier;
    call.scalars[operand + "_shift"] = f.shift;
}

bool in_float(const Node &node) { return node.text("rounding", "double") == "rne_f32"; }

/// dequantize, operate, quantize: the scales themselves.
void add_real_scales(KernelCall &call, const Graph &graph, const Node &node) {
    call.params["rounding"] = "rne_f32";
    call.scalars["a_scale"] = float_bits(scale_of(node, input(graph, node, 0)));
    call.scalars["b_scale"] = float_bits(scale_of(node, input(graph, node, 1)));
    call.scalars["out_scale"] = float_bits(scale_of(node, output(graph, node)));
}

bool is_power_of_two(float x) {
    int exponent = 0;
    return std::frexp(x, &exponent) == 0.5f;
}

/// add.cc, sub.cc: twice the larger scale as common scale; left shift 20, for 16 bits 15.
std::vector<KernelCall> lower_sum(const Graph &graph, const Node &node, const char *generator) {
    KernelCall call = elementwise_call(graph, node, generator);
    if (!call.params.contains("quantized")) return {std::move(call)};
    if (in_float(node)) {
        add_real_scales(call, graph, node);
        return {std::move(call)};
    }
    const Value &result = output(graph, node);
    const float a = scale_of(node, input(graph, node, 0)), b = scale_of(node, input(graph, node, 1)), out = scale_of(node, result);
    const bool wide = info(result.type).bits == 16;
    if (wide && is_power_of_two(a) && is_power_of_two(b) && is_power_of_two(out))
        unsupported(node, "16-bit operands whose scales are powers of two", "use other scales, or 8 bits");
    const double twice_largest = 2 * std::max(a, b);
    add_fixed_point(call, "a", a / twice_largest);
    add_fixed_point(call, "b", b / twice_largest);
    add_fixed_point(call, "out", twice_largest / (static_cast<float>(1 << (wide ? 15 : 20)) * out));
    return {std::move(call)};
}

}  // namespace

void infer_add(Graph &graph, const Node &node) { infer_binary(graph, node); }
void infer_sub(Graph &graph, const Node &node) { infer_binary(graph, node); }
void infer_mul(Graph &graph, const Node &node) { infer_binary(graph, node); }

std::vector<KernelCall> lower_add(const Graph &graph, const Node &node) { return lower_sum(graph, node, "add"); }
std::vector<KernelCall> lower_sub(const Graph &graph, const Node &node) { return lower_sum(graph, node, "sub"); }

std::vector<KernelCall> lower_mul(const Graph &graph, const Node &node) {
    KernelCall call = elementwise_call(graph, node, "mul");
    if (!call.params.contains("quantized")) return {std::move(call)};
    if (in_float(node)) {
        add_real_scales(call, graph, node);
        return {std::move(call)};
    }
    // mul.cc computes the factor in float32.
    const float product = scale_of(node, input(graph, node, 0)) * scale_of(node, input(graph, node, 1));
    add_fixed_point(call, "out", product / scale_of(node, output(graph, node)));
    return {std::move(call)};
}

}  // namespace emulsion::graph
