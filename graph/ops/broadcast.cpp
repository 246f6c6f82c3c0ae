#include "graph/ops/broadcast.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

constexpr int most_dimensions = 6;  // a machine domain's rank

bool is_one(const Dimension &d) { return d.is_static() && d.extent == 1; }

}  // namespace

Shape broadcast_shape(const Node &node, const std::vector<Shape> &shapes) {
    size_t rank = 0;
    for (const Shape &s : shapes) rank = std::max(rank, s.size());
    Shape result(rank, Dimension{.extent = 1});
    for (const Shape &s : shapes)
        for (size_t k = 0; k < s.size(); k++) {
            Dimension &out = result[rank - s.size() + k];
            if (is_one(s[k]) || s[k] == out) continue;
            if (is_one(out) || (s[k].is_static() && !out.is_static())) out = s[k];
            else if (s[k].is_static()) mismatch(node, fmt::format("extents {} and {} do not broadcast", out.extent, s[k].extent));
        }
    return result;
}

MergedOperands merge_operands(const Node &node, const std::vector<int64_t> &result, const std::vector<std::vector<int64_t>> &operands) {
    const std::vector<int> out = innermost_first(node, result);
    std::vector<std::vector<int>> in;
    for (const auto &o : operands) {
        in.push_back(innermost_first(node, o));
        in.back().resize(out.size(), 1);
    }
    MergedOperands merged{{}, std::vector<std::vector<int>>(in.size()), std::vector<int>(in.size(), 0)};
    uint32_t last = 0;  // operands broadcast along the dimension before, a bit each
    for (size_t d = 0; d < out.size(); d++) {
        if (out[d] == 1) continue;
        uint32_t mask = 0;
        for (size_t k = 0; k < in.size(); k++)
            if (in[k][d] == 1) mask |= 1u << k;
        if (merged.extents.empty() || mask != last) {
            for (size_t k = 0; k < in.size(); k++) {
                merged.broadcast[k] |= static_cast<int>(mask >> k & 1) << merged.extents.size();
                merged.operands[k].push_back(1);
            }
            merged.extents.push_back(1);
        }
        merged.extents.back() *= out[d];
        for (size_t k = 0; k < in.size(); k++) merged.operands[k].back() *= in[k][d];
        last = mask;
    }
    if (merged.extents.empty()) {
        merged.extents = {1};
        for (auto &o : merged.operands) o = {1};
    }
    if (merged.rank() > most_dimensions)
        unsupported(node, fmt::format("operands that broadcast in {} different ways", merged.rank()), "broadcast one of them beforehand");
    return merged;
}

MergedOperands merge_operands(const Graph &graph, const Node &node, size_t count) {
    std::vector<std::vector<int64_t>> operands;
    for (size_t k = 0; k < count; k++) operands.push_back(extents(input(graph, node, k)));
    return merge_operands(node, extents(output(graph, node)), operands);
}

}  // namespace emulsion::graph
