// cast: from one element type to another.
#include "graph/ops/rules.h"
#include "graph/ops/operands.h"

#include <fmt/format.h>

namespace emulsion::graph {

/// The target type is the output value's, set by whoever builds the node.
void infer_cast(Graph &graph, const Node &node) {
    const Shape shape = input(graph, node, 0).shape;
    output(graph, node).shape = shape;
}

std::vector<KernelCall> lower_cast(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    if (in.type == out.type) return {};
    const int64_t n = element_count(extents(in));
    KernelArgument a = value_argument(graph, node, "in", node.inputs[0], innermost_first(node, {n}));
    KernelArgument o = result_argument(graph, node, "out", node.outputs[0], a.extents);
    if (in.type == DataType::boolean && out.type == DataType::u8) return {};
    KernelCall call{.generator = "cast", .params = {{"in_type", type_name(a.type)}, {"out_type", type_name(o.type)}}, .arguments = {a, o}, .scalars = {}};
    if (out.type == DataType::boolean) call.params["to_boolean"] = "true";
    if (node.integer("saturate")) call.params["saturate"] = "true";
    return {call};
}

}  // namespace emulsion::graph
