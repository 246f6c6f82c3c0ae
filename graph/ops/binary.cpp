// div, minimum, maximum, pow, modulo, bitwise: element-wise functions of two tensors that keep the type.
#include "graph/ops/broadcast.h"
#include "graph/ops/rules.h"

#include <array>
#include <fmt/format.h>
#include <limits>

namespace emulsion::graph {
namespace {

void infer_binary(Graph &graph, const Node &node) {
    const Value &a = input(graph, node, 0), &b = input(graph, node, 1);
    if (a.type != b.type) mismatch(node, fmt::format("types {} and {}", info(a.type).name, info(b.type).name));
    const bool given = !output(graph, node).quantization.empty();
    set_output(graph, node, 0, a, broadcast_shape(node, {a.shape, b.shape}), !given);
}

KernelCall binary_call(const Graph &graph, const Node &node, const std::string &generator, std::map<std::string, std::string> params) {
    const MergedOperands m = merge_operands(graph, node, 2);
    KernelArgument out = result_argument(graph, node, "out", node.outputs[0], m.extents);
    params["type"] = type_name(out.type);
    params["rank"] = std::to_string(m.rank());
    params["a_broadcast"] = std::to_string(m.broadcast[0]);
    params["b_broadcast"] = std::to_string(m.broadcast[1]);
    return {.generator = generator, .params = std::move(params),
            .arguments = {value_argument(graph, node, "a", node.inputs[0], m.operands[0]), value_argument(graph, node, "b", node.inputs[1], m.operands[1]), out}, .scalars = {}};
}

bool floating(const Graph &graph, const Node &node) { return info(input(graph, node, 0).type).is_float; }

void refuse_quantised(const Graph &graph, const Node &node) {
    if (!input(graph, node, 0).quantization.empty()) unsupported(node, "quantised operands", "keep this operator in floating point");
}

struct Range {
    const char *activation;
    double low, high;
};
constexpr double most = std::numeric_limits<float>::max();
constexpr Range activations[] = {{"none", -most, most}, {"relu", 0, most}, {"relu6", 0, 6}, {"relu_n1_to_1", -1, 1}};

}  // namespace

void infer_div(Graph &graph, const Node &node) { infer_binary(graph, node); }
std::vector<KernelCall> lower_div(const Graph &graph, const Node &node) {
    refuse_quantised(graph, node);
    KernelCall call = binary_call(graph, node, "binary", {{"op", "div"}});
    const std::string activation = node.text("activation", "none");
    for (const Range &r : activations) {
        if (activation != r.activation) continue;
        if (activation == "none") return {call};
        if (!floating(graph, node)) break;
        call.params["low"] = fmt::format("{}", r.low);
        call.params["high"] = fmt::format("{}", r.high);
        return {call};
    }
    unsupported(node, fmt::format("activation {}", activation), "make it an operator of its own");
}

void infer_minimum(Graph &graph, const Node &node) { infer_binary(graph, node); }
std::vector<KernelCall> lower_minimum(const Graph &graph, const Node &node) { return {binary_call(graph, node, "minimum", {})}; }

void infer_maximum(Graph &graph, const Node &node) { infer_binary(graph, node); }
std::vector<KernelCall> lower_maximum(const Graph &graph, const Node &node) { return {binary_call(graph, node, "maximum", {})}; }

void infer_pow(Graph &graph, const Node &node) { infer_binary(graph, node); }
std::vector<KernelCall> lower_pow(const Graph &graph, const Node &node) {
    refuse_quantised(graph, node);
    if (input(graph, node, 0).type != DataType::f32) unsupported(node, "elements that are not float32", "cast the operands");
    return {binary_call(graph, node, "binary", {{"op", "pow"}})};
}

void infer_modulo(Graph &graph, const Node &node) { infer_binary(graph, node); }
std::vector<KernelCall> lower_modulo(const Graph &graph, const Node &node) {
    refuse_quantised(graph, node);
    const DataType t = input(graph, node, 0).type;
    if (info(t).is_float && t != DataType::f32) unsupported(node, "half precision", "cast the operands");
    return {binary_call(graph, node, "binary", {{"op", node.integer("fmod") ? "trunc_mod" : "floor_mod"}})};
}

void infer_bitwise(Graph &graph, const Node &node) {
    infer_binary(graph, node);
    const DataType t = output(graph, node).type;
    const std::string f = node.text("function");
    if (info(t).is_float || (t == DataType::boolean && f.rfind("shift", 0) == 0)) mismatch(node, fmt::format("{} on {}", f, info(t).name));
}
std::vector<KernelCall> lower_bitwise(const Graph &graph, const Node &node) {
    static const std::map<std::string, std::string> ops = {{"and", "bit_and"}, {"or", "bit_or"}, {"xor", "bit_xor"}, {"shift_left", "shift_left"}, {"shift_right", "shift_right"}};
    const auto op = ops.find(node.text("function"));
    if (op == ops.end()) unsupported(node, fmt::format("function \"{}\"", node.text("function")), "one of and or xor shift_left shift_right");
    return {binary_call(graph, node, "binary", {{"op", op->second}})};
}

}  // namespace emulsion::graph
