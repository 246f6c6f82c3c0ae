// slice: every step-th element of a box, backwards where the step is negative.
#include "graph/ops/copies.h"
#include "graph/ops/rules.h"

#include <fmt/format.h>

namespace emulsion::graph {
namespace {

struct Range {
    int64_t begin, end, step;
    int64_t count() const { return step > 0 ? (end - begin + step - 1) / step : (begin - end - step - 1) / -step; }
};

std::vector<Range> ranges_of(const Node &node, size_t rank) {
    const std::vector<int64_t> begin = node.integers("begin"), end = node.integers("end");
    const std::vector<int64_t> step = node.integers("step", std::vector<int64_t>(rank, 1));
    if (begin.size() != rank || end.size() != rank || step.size() != rank)
        mismatch(node, fmt::format("begin, end and step for {}, {} and {} dimensions of {}", begin.size(), end.size(), step.size(), rank));
    std::vector<Range> ranges;
    for (size_t d = 0; d < rank; d++) {
        if (step[d] == 0) mismatch(node, "a step of 0");
        ranges.push_back({begin[d], end[d], step[d]});
    }
    return ranges;
}

}  // namespace

void infer_slice(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    Shape shape;
    const std::vector<Range> ranges = ranges_of(node, in.shape.size());
    for (size_t d = 0; d < ranges.size(); d++) {
        const Range &r = ranges[d];
        const int64_t n = r.count(), last = r.begin + (n - 1) * r.step;
        if (n < 1 || r.begin < 0 || last < 0 || (in.shape[d].is_static() && (r.begin >= in.shape[d].extent || last >= in.shape[d].extent)))
            mismatch(node, fmt::format("elements {} to {} by {} of dimension {} with extent {}", r.begin, r.end, r.step, d, in.shape[d].extent));
        shape.push_back({.extent = n});
    }
    set_output(graph, node, 0, in, shape);
}

std::vector<KernelCall> lower_slice(const Graph &graph, const Node &node) {
    const std::vector<int64_t> in = extents(input(graph, node, 0)), out = extents(output(graph, node));
    const std::vector<int64_t> from = dense_strides(in), to = dense_strides(out);
    const std::vector<Range> ranges = ranges_of(node, in.size());
    Copy copy{.source = input_id(node, 0), .destination = node.outputs[0], .from_offset = 0, .to_offset = 0, .dimensions = {}};
    for (size_t d = 0; d < in.size(); d++) {
        copy.from_offset += ranges[d].begin * from[d];
        copy.dimensions.push_back({out[d], ranges[d].step * from[d], to[d]});
    }
    if (is_identity(copy) && in == out) return {};
    return {copy_call(graph, node, copy)};
}

}  // namespace emulsion::graph
