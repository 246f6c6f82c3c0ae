// compare, select: boolean results, and choices by them. Booleans are bytes of 0 and 1.
#include "dsl/quant/quantize.h"
#include "graph/ops/broadcast.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace emulsion::graph {
namespace {

bool quantised(const Value &v) { return v.quantization.scale.size() == 1 && v.quantization.scale[0] != 0; }

// TFLite reference ComparisonWithScaling: both sides become int32, 8 bits finer than their scale; equal scales are rescaled too.
void rescale_operand(const Node &node, const Value &v, const std::string &name, KernelCall &call) {
    if (v.quantization.scale[0] >= 1) unsupported(node, "a quantisation scale of 1 or more", "quantise the operand with a smaller scale");
    const FixedPoint f = fixed_point(v.quantization.scale[0]);
    call.scalars[name + "_multiplier"] = f.multiplier;
    call.scalars[name + "_shift"] = f.shift;
    call.params[name + "_zero"] = std::to_string(v.quantization.zero_point[0]);
}

}  // namespace

void infer_compare(Graph &graph, const Node &node) {
    const Value &a = input(graph, node, 0), &b = input(graph, node, 1);
    if (a.type != b.type) mismatch(node, fmt::format("types {} and {}", info(a.type).name, info(b.type).name));
    const Shape shape = broadcast_shape(node, {a.shape, b.shape});
    Value &out = output(graph, node);
    out.type = DataType::boolean;
    out.shape = shape;
    out.quantization = {};
}

std::vector<KernelCall> lower_compare(const Graph &graph, const Node &node) {
    const std::string function = node.text("function");
    static constexpr std::string_view functions[] = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"};
    if (std::find(std::begin(functions), std::end(functions), function) == std::end(functions))
        unsupported(node, fmt::format("function \"{}\"", function), fmt::format("one of {}", fmt::join(functions, " ")));
    const Value &a = input(graph, node, 0), &b = input(graph, node, 1);
    const MergedOperands m = merge_operands(graph, node, 2);
    KernelCall call{.generator = "compare", .params = {{"op", function}, {"type", type_name(element_type(node, a))}, {"rank", std::to_string(m.rank())}}, .arguments = {}, .scalars = {}};
    call.params["a_broadcast"] = std::to_string(m.broadcast[0]);
    call.params["b_broadcast"] = std::to_string(m.broadcast[1]);
    if (info(a.type).bits == 8 && quantised(a) && quantised(b)) {
        call.params["quantized"] = "true";
        rescale_operand(node, a, "a", call);
        rescale_operand(node, b, "b", call);
    }
    call.arguments = {value_argument(graph, node, "a", node.inputs[0], m.operands[0]), value_argument(graph, node, "b", node.inputs[1], m.operands[1]),
                      result_argument(graph, node, "out", node.outputs[0], m.extents)};
    return {call};
}

void infer_select(Graph &graph, const Node &node) {
    const Value &condition = input(graph, node, 0), &a = input(graph, node, 1), &b = input(graph, node, 2);
    if (condition.type != DataType::boolean) mismatch(node, fmt::format("a condition of type {}", info(condition.type).name));
    if (a.type != b.type) mismatch(node, fmt::format("types {} and {}", info(a.type).name, info(b.type).name));
    set_output(graph, node, 0, a, broadcast_shape(node, {condition.shape, a.shape, b.shape}));
}

std::vector<KernelCall> lower_select(const Graph &graph, const Node &node) {
    const MergedOperands m = merge_operands(graph, node, 3);
    KernelCall call{.generator = "select", .params = {{"type", type_name(element_type(node, input(graph, node, 1)))}, {"rank", std::to_string(m.rank())}}, .arguments = {}, .scalars = {}};
    const char *names[] = {"condition", "a", "b"};
    for (int k = 0; k < 3; k++) {
        call.params[fmt::format("{}_broadcast", names[k])] = std::to_string(m.broadcast[k]);
        call.arguments.push_back(value_argument(graph, node, names[k], node.inputs[k], m.operands[k]));
    }
    call.arguments.push_back(result_argument(graph, node, "out", node.outputs[0], m.extents));
    return {call};
}

}  // namespace emulsion::graph
