// reshape, transpose, tile, broadcast_to, identity, unknown: the same elements in other places.
#include "graph/ops/broadcast.h"
#include "graph/ops/copies.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace emulsion::graph {
namespace {

// Symbols of the input fill the -1 when every other extent is taken over; otherwise a symbolic input needs its numbers.
Shape reshaped(const Node &node, const Value &in, const std::vector<int64_t> &shape) {
    Shape out = make_shape(shape);
    const auto open = std::find(shape.begin(), shape.end(), -1);
    if (open != shape.end() && std::count(shape.begin(), shape.end(), -1) > 1) mismatch(node, "more than one extent of -1");
    Shape symbols;
    std::vector<int64_t> known{1};
    for (const Dimension &d : in.shape) d.is_static() ? known.push_back(d.extent) : symbols.push_back(d);
    const int64_t given = std::accumulate(shape.begin(), shape.end(), int64_t{1}, [](int64_t n, int64_t e) { return e == -1 ? n : n * e; });
    if (!symbols.empty()) {
        if (symbols.size() > 1 || open == shape.end() || given != element_count(known)) extents(in);  // raises EM704
        out[open - shape.begin()] = symbols[0];
        return out;
    }
    const int64_t elements = element_count(known);
    if (open != shape.end()) {
        if (given <= 0 || elements % given != 0) mismatch(node, fmt::format("{} elements do not divide by {}", elements, given));
        out[open - shape.begin()].extent = elements / given;
    } else if (given != elements) {
        mismatch(node, fmt::format("{} elements become {}", elements, given));
    }
    return out;
}

std::vector<int64_t> permutation_of(const Node &node, size_t rank) {
    std::vector<int64_t> p = node.integers("permutation"), sorted = p;
    if (p.empty())
        for (size_t d = rank; d-- > 0;) p.push_back(static_cast<int64_t>(d));
    sorted = p;
    std::sort(sorted.begin(), sorted.end());
    for (size_t d = 0; d < rank; d++)
        if (sorted.size() != rank || sorted[d] != static_cast<int64_t>(d)) mismatch(node, fmt::format("the permutation is none of {} dimensions", rank));
    return p;
}

// Result dimension k is `repeats` times input dimension k; missing leading dimensions are 1.
std::vector<KernelCall> repeat_calls(const Graph &graph, const Node &node) {
    const std::vector<int64_t> out = extents(output(graph, node));
    std::vector<int64_t> in = extents(input(graph, node, 0));
    in.insert(in.begin(), out.size() - in.size(), 1);
    const std::vector<int64_t> from = dense_strides(in), to = dense_strides(out);
    Copy copy{.source = input_id(node, 0), .destination = node.outputs[0], .from_offset = 0, .to_offset = 0, .dimensions = {}};
    for (size_t d = 0; d < out.size(); d++) {
        copy.dimensions.push_back({in[d], from[d], to[d]});
        copy.dimensions.push_back({out[d] / in[d], 0, to[d] * in[d]});
    }
    if (is_identity(copy)) return {};
    return {copy_call(graph, node, copy)};
}

}  // namespace

void infer_reshape(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    set_output(graph, node, 0, in, reshaped(node, in, node.integers("shape")));
}
std::vector<KernelCall> lower_reshape(const Graph &, const Node &) { return {}; }

void infer_transpose(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    Shape shape;
    const std::vector<int64_t> p = permutation_of(node, in.shape.size());
    for (int64_t d : p) shape.push_back(in.shape[d]);
    set_output(graph, node, 0, in, shape);
    Quantization &q = output(graph, node).quantization;
    if (q.axis >= 0) q.axis = static_cast<int>(std::find(p.begin(), p.end(), q.axis) - p.begin());
}

std::vector<KernelCall> lower_transpose(const Graph &graph, const Node &node) {
    const std::vector<int64_t> in = extents(input(graph, node, 0)), out = extents(output(graph, node));
    const std::vector<int64_t> p = permutation_of(node, in.size()), from = dense_strides(in), to = dense_strides(out);
    Copy copy{.source = input_id(node, 0), .destination = node.outputs[0], .from_offset = 0, .to_offset = 0, .dimensions = {}};
    for (size_t d = 0; d < p.size(); d++) copy.dimensions.push_back({out[d], from[p[d]], to[d]});
    if (is_identity(copy)) return {};
    return {copy_call(graph, node, copy)};
}

void infer_tile(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    const std::vector<int64_t> repeats = node.integers("repeats");
    if (repeats.size() != in.shape.size()) mismatch(node, fmt::format("{} repeats for rank {}", repeats.size(), in.shape.size()));
    Shape shape = in.shape;
    for (size_t d = 0; d < shape.size(); d++) {
        if (repeats[d] < 1) mismatch(node, fmt::format("repeated {} times", repeats[d]));
        if (repeats[d] == 1) continue;
        if (!shape[d].is_static()) extents(in);  // raises EM704
        shape[d].extent *= repeats[d];
    }
    set_output(graph, node, 0, in, shape);
}
std::vector<KernelCall> lower_tile(const Graph &graph, const Node &node) { return repeat_calls(graph, node); }

void infer_broadcast_to(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    set_output(graph, node, 0, in, broadcast_shape(node, {in.shape, make_shape(node.integers("shape"))}));
}
std::vector<KernelCall> lower_broadcast_to(const Graph &graph, const Node &node) { return repeat_calls(graph, node); }

void infer_identity(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    set_output(graph, node, 0, in, in.shape);
}
std::vector<KernelCall> lower_identity(const Graph &, const Node &) { return {}; }

void infer_unknown(Graph &, const Node &) {}  // the importer sets what the model says of its outputs
std::vector<KernelCall> lower_unknown(const Graph &, const Node &node) {
    unsupported(node, fmt::format("\"{}\" has no meaning here", node.text("operator")), "docs/operators.md lists what has; export the model without it");
}

}  // namespace emulsion::graph
