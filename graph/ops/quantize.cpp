// quantize and dequantize. Sources: TFLite reference QUANTIZE, DEQUANTIZE; ONNX QuantizeLinear, DequantizeLinear.
#include "graph/ops/quantized.h"
#include "graph/ops/rules.h"

#include <fmt/format.h>

namespace emulsion::graph {

namespace {

/// Shape, scale and zero point of a call between reals and the quantised value `q`.
void add_scale(KernelCall &call, const Graph &graph, const Node &node, const Value &q) {
    const std::vector<int64_t> e = extents(q);
    const Quantization &s = q.quantization;
    const bool per_axis = s.axis >= 0 && s.scale.size() > 1;
    if (per_axis && (s.axis >= static_cast<int>(e.size()) || static_cast<int64_t>(s.scale.size()) != e[s.axis]))
        mismatch(node, fmt::format("{} scales along axis {}", s.scale.size(), s.axis));
    if (s.scale.size() != s.zero_point.size() || (!per_axis && s.scale.size() != 1))
        unsupported(node, fmt::format("{} scales and {} zero points", s.scale.size(), s.zero_point.size()), "use one scale per tensor or per index of an axis");
    const std::vector<int> shape = per_axis ? around_axis(node, e, s.axis) : innermost_first(node, {element_count(e)});
    call.params["rank"] = std::to_string(shape.size());
    if (per_axis) {
        call.params["per_channel"] = "true";
        call.params["axis"] = "1";
    }
    const int count = static_cast<int>(s.scale.size());
    call.arguments = {value_argument(graph, node, "in", input_id(node, 0), shape), result_argument(graph, node, "out", node.outputs[0], shape),
                      data_argument("scale", ElementType::f32, {count}, bytes_from(s.scale)),
                      data_argument("zero_point", ElementType::i32, {count}, bytes_from(s.zero_point))};
}

std::string ties(const Node &node) { return node.text("ties", "away") == "even" ? "even" : "away"; }

/// quantize.cc: double(in) / double(out) as multiplier.
KernelCall requantize_call(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    const std::vector<int> shape = innermost_first(node, {element_count(extents(in))});
    KernelCall call{.generator = "requantize"};
    auto &p = call.params;
    p["in_type"] = type_name(element_type(node, in));
    p["out_type"] = type_name(element_type(node, out));
    p["in_zero"] = std::to_string(zero_point_of(node, in));
    p["out_zero"] = std::to_string(zero_point_of(node, out));
    call.arguments = {value_argument(graph, node, "in", input_id(node, 0), shape), result_argument(graph, node, "out", node.outputs[0], shape)};
    const FixedPoint f = fixed_point(static_cast<double>(scale_of(node, in)) / static_cast<double>(scale_of(node, out)));
    call.scalars = {{"multiplier", f.multiplier}, {"shift", f.shift}};
    return call;
}

}  // namespace

void infer_quantize(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    Value &out = output(graph, node);
    if (!is_quantized(out)) mismatch(node, "an output without a scale");
    out.shape = in.shape;
}

std::vector<KernelCall> lower_quantize(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    if (info(out.type).bits > 16 || info(out.type).bits < 8)
        unsupported(node, fmt::format("a result of type {}", info(out.type).name), "quantise to 8 or 16 bits");
    if (is_quantized(in)) return {requantize_call(graph, node)};
    if (in.type != DataType::f32) unsupported(node, fmt::format("an input of type {}", info(in.type).name), "convert to float32 first");
    KernelCall call{.generator = "quantize"};
    add_scale(call, graph, node, out);
    call.params["out_type"] = type_name(element_type(node, out));
    call.params["ties"] = ties(node);
    return {std::move(call)};
}

void infer_dequantize(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    Value &out = output(graph, node);
    if (!is_quantized(in) && in.type != DataType::f16 && in.type != DataType::bf16) mismatch(node, "an input without a scale");
    out.type = DataType::f32;
    out.shape = in.shape;
    out.quantization = {};
}

std::vector<KernelCall> lower_dequantize(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    if (!is_quantized(in)) {  // float16 weights
        const std::vector<int> shape = innermost_first(node, {element_count(extents(in))});
        KernelCall call{.generator = "cast"};
        call.params = {{"in_type", type_name(element_type(node, in))}, {"out_type", "float32"}};
        call.arguments = {value_argument(graph, node, "in", input_id(node, 0), shape), result_argument(graph, node, "out", node.outputs[0], shape)};
        return {std::move(call)};
    }
    KernelCall call{.generator = "dequantize"};
    add_scale(call, graph, node, in);
    call.params["in_type"] = type_name(element_type(node, in));
    return {std::move(call)};
}

}  // namespace emulsion::graph
