// concat, split: runs of one tensor as parts of another. Every part is a copy of its own, so that a plan can let the part lie in place.
#include "graph/ops/copies.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

// The part [start, start + part[axis]) of `whole` along the axis, as copy dimensions; inner and outer runs are dense.
struct Part {
    std::vector<int> extents;  ///< inner * axis of the part, outer
    int64_t offset = 0, step = 0;
};

Part part_of(const Node &node, const std::vector<int64_t> &whole, int64_t extent, int64_t start, int axis) {
    const std::vector<int> box = around_axis(node, whole, axis);
    return {innermost_first(node, {box[2], extent * box[0]}), start * box[0], int64_t{box[0]} * box[1]};
}

KernelCall part_copy(const Graph &graph, const Node &node, ValueId source, ValueId destination, const Part &part, bool into) {
    Copy copy{.source = source, .destination = destination, .from_offset = into ? 0 : part.offset, .to_offset = into ? part.offset : 0, .dimensions = {}};
    const int64_t run = part.extents[0];
    copy.dimensions = {{run, 1, 1}, {part.extents[1], into ? run : part.step, into ? part.step : run}};
    return copy_call(graph, node, copy);
}

// Every input value in the output's quantisation, lowest first. TFLite reference ConcatenationWithScaling:
// round(q * s + b) + zero, s = input scale / output scale and b = -input zero * s as floats.
std::vector<uint8_t> rescaling_table(const Value &in, const Value &out) {
    const int low = info(in.type).is_signed ? -128 : 0, lowest = info(out.type).is_signed ? -128 : 0;
    const float inverse = 1.0f / out.quantization.scale[0];
    const float scale = in.quantization.scale[0] * inverse, bias = static_cast<float>(-in.quantization.zero_point[0]) * scale;
    std::vector<uint8_t> table;
    for (int q = low; q < low + 256; q++) {
        const int value = static_cast<int>(std::round(static_cast<float>(q) * scale + bias)) + out.quantization.zero_point[0];
        table.push_back(static_cast<uint8_t>(std::clamp(value, lowest, lowest + 255)));
    }
    return table;
}

KernelCall rescaled_part(const Graph &graph, const Node &node, ValueId source, const Part &part) {
    const Value &in = graph.value(source), &out = output(graph, node);
    if (info(in.type).bits != 8 || in.quantization.scale.size() != 1 || out.quantization.scale.size() != 1)
        unsupported(node, "parts of different quantisation that are not 8 bits, per tensor", "quantise the parts alike");
    KernelArgument a = value_argument(graph, node, "in", source, part.extents);
    KernelArgument o = result_argument(graph, node, "out", node.outputs[0], part.extents);
    o.offset = part.offset;
    o.strides = {1, part.step};
    const std::string type = type_name(o.type);
    return {.generator = "activation", .params = {{"in_type", type}, {"out_type", type}, {"rank", "2"}},
            .arguments = {a, data_argument("table", o.type, {256}, rescaling_table(in, out)), o}, .scalars = {}};
}

}  // namespace

void infer_concat(Graph &graph, const Node &node) {
    const Value &first = input(graph, node, 0);
    const int axis = axis_of(node, "axis", first.shape.size());
    Shape shape = first.shape;
    for (size_t k = 1; k < node.inputs.size(); k++) {
        const Value &v = input(graph, node, k);
        if (v.type != first.type || v.shape.size() != shape.size()) mismatch(node, fmt::format("input {} is of another type or rank than the first", k));
        for (size_t d = 0; d < shape.size(); d++) {
            if (static_cast<int>(d) == axis) continue;
            if (shape[d] != v.shape[d]) mismatch(node, fmt::format("input {} has another extent in dimension {}", k, d));
        }
        if (!shape[axis].is_static()) extents(first);  // raises EM704
        if (!v.shape[axis].is_static()) extents(v);
        shape[axis].extent += v.shape[axis].extent;
    }
    const bool given = !output(graph, node).quantization.empty();  // inputs may differ from it, and are rescaled
    set_output(graph, node, 0, first, shape, !given);
}

std::vector<KernelCall> lower_concat(const Graph &graph, const Node &node) {
    const Value &out = output(graph, node);
    if (node.text("activation", "none") != "none") unsupported(node, "a fused activation", "make it an operator of its own");
    const std::vector<int64_t> whole = extents(out);
    const int axis = axis_of(node, "axis", whole.size());
    std::vector<KernelCall> calls;
    int64_t start = 0;
    for (size_t k = 0; k < node.inputs.size(); k++) {
        const Value &v = input(graph, node, k);
        const int64_t extent = extents(v)[axis];
        if (extent == 0) continue;
        const Part part = part_of(node, whole, extent, start, axis);
        const bool same = v.quantization.scale == out.quantization.scale && v.quantization.zero_point == out.quantization.zero_point;
        calls.push_back(same ? part_copy(graph, node, node.inputs[k], node.outputs[0], part, true) : rescaled_part(graph, node, node.inputs[k], part));
        start += extent;
    }
    return calls;
}

void infer_split(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    const int axis = axis_of(node, "axis", in.shape.size());
    std::vector<int64_t> sizes = node.integers("sizes");
    if (sizes.empty()) {
        if (!in.shape[axis].is_static()) extents(in);  // raises EM704
        if (in.shape[axis].extent % static_cast<int64_t>(node.outputs.size()) != 0) mismatch(node, fmt::format("an extent of {} in {} equal parts", in.shape[axis].extent, node.outputs.size()));
        sizes.assign(node.outputs.size(), in.shape[axis].extent / static_cast<int64_t>(node.outputs.size()));
    }
    int64_t total = 0;
    for (int64_t s : sizes) total += s;
    if (sizes.size() != node.outputs.size()) mismatch(node, fmt::format("{} sizes for {} outputs", sizes.size(), node.outputs.size()));
    if (in.shape[axis].is_static() && total != in.shape[axis].extent) mismatch(node, fmt::format("sizes add up to {}, the extent is {}", total, in.shape[axis].extent));
    for (size_t k = 0; k < sizes.size(); k++) {
        Shape shape = in.shape;
        shape[axis] = {.extent = sizes[k]};
        set_output(graph, node, k, in, shape);
    }
}

std::vector<KernelCall> lower_split(const Graph &graph, const Node &node) {
    const std::vector<int64_t> whole = extents(input(graph, node, 0));
    const int axis = axis_of(node, "axis", whole.size());
    std::vector<KernelCall> calls;
    int64_t start = 0;
    for (size_t k = 0; k < node.outputs.size(); k++) {
        const int64_t extent = extents(output(graph, node, k))[axis];
        if (extent == 0) continue;
        calls.push_back(part_copy(graph, node, input_id(node, 0), node.outputs[k], part_of(node, whole, extent, start, axis), false));
        start += extent;
    }
    return calls;
}

}  // namespace emulsion::graph
