// gather, one_hot: elements chosen by a tensor of indices.
#include "graph/ops/copies.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

// The part of the table that is staged at a time: whole along the axis.
constexpr int64_t table_bytes = 131072;

bool is_index(DataType t) { return t == DataType::i32 || t == DataType::i64; }

// The axis counts from 0 or from the end of the input's dimensions; `batch` leading dimensions are common to input and indices.
struct GatherBox {
    int axis, batch;
    std::vector<int64_t> in, indices;
};

GatherBox box_of(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &indices = input(graph, node, 1);
    GatherBox b{axis_of(node, "axis", in.shape.size()), static_cast<int>(node.integer("batch_dimensions")), extents(in), extents(indices)};
    return b;
}

int64_t product(const std::vector<int64_t> &e, size_t from, size_t to) {
    int64_t n = 1;
    for (size_t d = from; d < to; d++) n *= e[d];
    return n;
}

// Constant indices in equal steps are a slice.
std::optional<Copy> as_copy(const Graph &graph, const Node &node, const GatherBox &b) {
    const Value &indices = graph.value(node.inputs[1]);
    if (!indices.is_constant() || b.batch != 0) return {};
    std::vector<int64_t> at = constant_integers(indices);
    const int64_t n = b.in[b.axis];
    for (int64_t &i : at) {
        if (i < -n || i >= n) mismatch(node, fmt::format("index {} of {} elements", i, n));
        if (i < 0) i += n;
    }
    const int64_t step = at.size() > 1 ? at[1] - at[0] : 1;
    if (step == 0) return {};
    for (size_t k = 1; k < at.size(); k++)
        if (at[k] - at[k - 1] != step) return {};
    const int64_t inner = product(b.in, b.axis + 1, b.in.size()), outer = product(b.in, 0, b.axis), count = static_cast<int64_t>(at.size());
    return Copy{.source = node.inputs[0], .destination = node.outputs[0], .from_offset = at[0] * inner, .to_offset = 0,
                .dimensions = {{inner, 1, 1}, {count, step * inner, inner}, {outer, n * inner, count * inner}}};
}

}  // namespace

void infer_gather(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0), indices = input(graph, node, 1);
    if (!is_index(indices.type)) mismatch(node, fmt::format("indices of type {}", info(indices.type).name));
    const int axis = axis_of(node, "axis", in.shape.size());
    const int64_t batch = node.integer("batch_dimensions");
    if (batch < 0 || batch > axis || batch > static_cast<int64_t>(indices.shape.size())) mismatch(node, fmt::format("{} batch dimensions", batch));
    for (int64_t d = 0; d < batch; d++)
        if (in.shape[d] != indices.shape[d]) mismatch(node, fmt::format("batch dimension {} differs", d));
    Shape shape(in.shape.begin(), in.shape.begin() + axis);
    shape.insert(shape.end(), indices.shape.begin() + batch, indices.shape.end());
    shape.insert(shape.end(), in.shape.begin() + axis + 1, in.shape.end());
    set_output(graph, node, 0, in, shape);
}

std::vector<KernelCall> lower_gather(const Graph &graph, const Node &node) {
    const GatherBox b = box_of(graph, node);
    if (const auto copy = as_copy(graph, node, b)) {
        if (is_identity(*copy) && b.in == extents(output(graph, node))) return {};
        return {copy_call(graph, node, *copy)};
    }
    const int64_t inner = product(b.in, b.axis + 1, b.in.size()), outer = product(b.in, b.batch, b.axis), batch = product(b.in, 0, b.batch);
    const int64_t n = b.in[b.axis], count = product(b.indices, b.batch, b.indices.size());
    KernelArgument in = value_argument(graph, node, "in", node.inputs[0], innermost_first(node, {batch, outer, n, inner}));
    KernelArgument at = value_argument(graph, node, "indices", node.inputs[1], innermost_first(node, {batch, count}));
    KernelArgument out = result_argument(graph, node, "out", node.outputs[0], innermost_first(node, {batch, outer, count, inner}));
    const int64_t tile = std::clamp<int64_t>(table_bytes / (n * info(in.type).bytes), 1, inner);
    return {{.generator = "gather", .params = {{"type", type_name(in.type)}, {"index_type", type_name(at.type)}, {"tile_i", std::to_string(tile)}},
             .arguments = {in, at, out}, .scalars = {}}};
}

/// The output's type is set by whoever builds the node.
void infer_one_hot(Graph &graph, const Node &node) {
    const Value indices = input(graph, node, 0);
    if (!is_index(indices.type)) mismatch(node, fmt::format("indices of type {}", info(indices.type).name));
    const int64_t depth = node.integer("depth");
    if (depth < 1) mismatch(node, fmt::format("a depth of {}", depth));
    const int axis = axis_of(node, "axis", indices.shape.size() + 1, -1);
    Shape shape = indices.shape;
    shape.insert(shape.begin() + axis, Dimension{.extent = depth});
    output(graph, node).shape = shape;
}

std::vector<KernelCall> lower_one_hot(const Graph &graph, const Node &node) {
    const std::vector<int64_t> out = extents(output(graph, node));
    const std::vector<int> box = around_axis(node, out, axis_of(node, "axis", out.size(), -1));
    KernelArgument at = value_argument(graph, node, "indices", input_id(node, 0), {box[0], box[2]});
    KernelArgument o = result_argument(graph, node, "out", node.outputs[0], box);
    return {{.generator = "one_hot", .params = {{"type", type_name(o.type)}, {"index_type", type_name(at.type)}, {"on", fmt::format("{}", node.real("on", 1))},
                                                {"off", fmt::format("{}", node.real("off", 0))}, {"wrap", node.integer("wrap") ? "true" : "false"}},
             .arguments = {at, o}, .scalars = {}}};
}

}  // namespace emulsion::graph
