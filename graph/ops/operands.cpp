#include "graph/ops/operands.h"

#include "runtime/diag/diag.h"

#include <climits>

namespace emulsion::graph {

void mismatch(const Node &node, const std::string &what) { raise(Diag::graph_shapes, {.stage = "graph", .node = node.name}, node.op, what); }

void unsupported(const Node &node, const std::string &what, const std::string &advice) {
    raise(Diag::operator_unsupported, {.stage = "graph", .node = node.name}, node.op, what, advice);
}

ValueId input_id(const Node &node, size_t k) {
    if (k >= node.inputs.size() || node.inputs[k] == no_value) mismatch(node, fmt::format("input {} is missing", k));
    return node.inputs[k];
}

const Value &input(const Graph &graph, const Node &node, size_t k) { return graph.value(input_id(node, k)); }

namespace {
ValueId output_id(const Node &node, size_t k) {
    if (k >= node.outputs.size() || node.outputs[k] == no_value) mismatch(node, fmt::format("output {} is missing", k));
    return node.outputs[k];
}
}  // namespace

const Value &output(const Graph &graph, const Node &node, size_t k) { return graph.value(output_id(node, k)); }
Value &output(Graph &graph, const Node &node, size_t k) { return graph.value(output_id(node, k)); }

std::vector<int64_t> extents(const Value &v) { return extents_of(v.shape, v.name); }

int axis_of(const Node &node, const std::string &key, size_t rank, int64_t otherwise) {
    const int64_t axis = node.integer(key, otherwise), n = static_cast<int64_t>(rank);
    if (axis < -n || axis >= n) mismatch(node, fmt::format("{} {} of a tensor of rank {}", key, axis, rank));
    return static_cast<int>(axis < 0 ? axis + n : axis);
}

std::vector<int> innermost_first(const Node &node, const std::vector<int64_t> &extents) {
    std::vector<int> out;
    for (auto e = extents.rbegin(); e != extents.rend(); ++e) {
        if (*e < 1 || *e > INT_MAX) unsupported(node, fmt::format("a dimension of extent {}", *e), "split or remove the tensor");
        out.push_back(static_cast<int>(*e));
    }
    return out;
}

std::vector<int> around_axis(const Node &node, const std::vector<int64_t> &extents, int axis) {
    int64_t outer = 1, inner = 1;
    for (int d = 0; d < axis; d++) outer *= extents[d];
    for (size_t d = axis + 1; d < extents.size(); d++) inner *= extents[d];
    return innermost_first(node, {outer, extents[axis], inner});
}

ElementType element_type(const Node &node, const Value &v) {
    if (const auto t = info(v.type).element) return *t;
    unsupported(node, fmt::format("elements of type {}", info(v.type).name), "export the model with another type");
}

std::string type_name(ElementType t) {
    const ElementTypeInfo &i = info(t);
    if (t == ElementType::bf16) return "bfloat16";
    return fmt::format("{}{}", i.is_float ? "float" : i.is_signed ? "int" : "uint", 8 * i.bytes);
}

KernelArgument value_argument(const Graph &graph, const Node &node, const std::string &name, ValueId id, std::vector<int> extents) {
    return {.name = name, .value = id, .data = {}, .type = element_type(node, graph.value(id)), .extents = std::move(extents), .offset = 0, .strides = {}, .output = false};
}

KernelArgument result_argument(const Graph &graph, const Node &node, const std::string &name, ValueId id, std::vector<int> extents) {
    KernelArgument a = value_argument(graph, node, name, id, std::move(extents));
    a.output = true;
    return a;
}

KernelArgument data_argument(const std::string &name, ElementType type, std::vector<int> extents, std::vector<uint8_t> data) {
    return {.name = name, .value = no_value, .data = std::move(data), .type = type, .extents = std::move(extents), .offset = 0, .strides = {}, .output = false};
}

void set_output(Graph &graph, const Node &node, size_t k, const Value &from, Shape shape, bool quantised) {
    Value &out = output(graph, node, k);
    out.type = from.type;
    out.shape = std::move(shape);
    if (quantised) out.quantization = from.quantization;
}

}  // namespace emulsion::graph
