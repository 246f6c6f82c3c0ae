// arg_reduce, cumulative_sum: along one axis; the tensor is seen as (inner, axis, outer).
#include "graph/ops/operands.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

// Elements of the inner dimension whose whole axis takes this much of the scratchpad.
constexpr int64_t axis_bytes = 65536;

std::string inner_tile(int inner, int axis, ElementType type) {
    return std::to_string(std::clamp<int64_t>(axis_bytes / (int64_t{axis} * info(type).bytes), 1, inner));
}

}  // namespace

/// The output's type is i32 or i64, set by whoever builds the node; i64 where it is neither.
void infer_arg_reduce(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    const int axis = axis_of(node, "axis", in.shape.size());
    Shape shape = in.shape;
    if (node.integer("keep_dimensions")) shape[axis] = {.extent = 1};
    else shape.erase(shape.begin() + axis);
    Value &out = output(graph, node);
    if (out.type != DataType::i32) out.type = DataType::i64;
    out.shape = shape;
    out.quantization = {};
}

std::vector<KernelCall> lower_arg_reduce(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    const std::string function = node.text("function", "max");
    if (function != "max" && function != "min") unsupported(node, fmt::format("function \"{}\"", function), "max or min");
    const std::vector<int> box = around_axis(node, extents(in), axis_of(node, "axis", in.shape.size()));
    KernelArgument a = value_argument(graph, node, "in", node.inputs[0], box);
    KernelArgument o = result_argument(graph, node, "out", node.outputs[0], {box[0], box[2]});
    KernelCall call{.generator = "arg_reduce", .params = {{"op", function}, {"in_type", type_name(a.type)}, {"out_type", type_name(o.type)}}, .arguments = {a, o}, .scalars = {}};
    if (node.integer("last")) call.params["last"] = "true";
    const int tile = std::min(box[0], 64);  // with few inner elements more of the outer ones
    call.params["tile_i"] = std::to_string(tile);
    call.params["tile_o"] = std::to_string(std::clamp(1024 / tile, 1, box[2]));
    return {call};
}

void infer_cumulative_sum(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    axis_of(node, "axis", in.shape.size());
    set_output(graph, node, 0, in, in.shape);
}

std::vector<KernelCall> lower_cumulative_sum(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    if (!in.quantization.empty()) unsupported(node, "quantised elements", "keep this operator in floating point");
    const std::vector<int> box = around_axis(node, extents(in), axis_of(node, "axis", in.shape.size()));
    KernelArgument a = value_argument(graph, node, "in", node.inputs[0], box);
    KernelArgument o = result_argument(graph, node, "out", node.outputs[0], box);
    KernelCall call{.generator = "cumulative_sum", .params = {{"type", type_name(a.type)}, {"tile_i", inner_tile(box[0], box[1], a.type)}}, .arguments = {a, o}, .scalars = {}};
    for (const char *flag : {"exclusive", "reverse"})
        if (node.integer(flag)) call.params[flag] = "true";
    return {call};
}

}  // namespace emulsion::graph
