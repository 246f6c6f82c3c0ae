#include "graph/ops/copies.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

constexpr size_t most_dimensions = 6;  // a machine domain's rank

// Tiles of this many bytes: three of them fit the smallest preset's scratchpad twice.
constexpr int64_t tile_bytes = 32768;

KernelArgument strided(KernelArgument a, int64_t offset, const std::vector<CopyDimension> &dims, int64_t CopyDimension::*step) {
    int64_t dense = 1;
    bool is_dense = true;
    for (const CopyDimension &d : dims) {
        a.strides.push_back(d.*step);
        is_dense = is_dense && d.*step == dense;
        dense *= d.extent;
    }
    if (is_dense) a.strides.clear();
    a.offset = offset;
    return a;
}

std::vector<int> extents_of_dimensions(const Node &node, const std::vector<CopyDimension> &dims) {
    std::vector<int64_t> e;
    for (auto d = dims.rbegin(); d != dims.rend(); ++d) e.push_back(d->extent);
    return innermost_first(node, e);
}

// tile_0, tile_1, ... as long as the bytes last.
void set_tiles(KernelCall &call, const std::vector<int> &extents, int64_t elements) {
    for (size_t d = 0; d < extents.size(); d++) {
        const int64_t tile = std::clamp<int64_t>(elements, 1, extents[d]);
        call.params[fmt::format("tile_{}", d)] = std::to_string(tile);
        elements /= tile;
    }
}

}  // namespace

std::vector<int64_t> dense_strides(const std::vector<int64_t> &extents) {
    std::vector<int64_t> strides(extents.size());
    int64_t s = 1;
    for (size_t d = extents.size(); d-- > 0;) {
        strides[d] = s;
        s *= extents[d];
    }
    return strides;
}

std::vector<CopyDimension> merge(std::vector<CopyDimension> dims) {
    std::erase_if(dims, [](const CopyDimension &d) { return d.extent == 1; });
    std::stable_sort(dims.begin(), dims.end(), [](const CopyDimension &a, const CopyDimension &b) { return a.to < b.to; });
    std::vector<CopyDimension> merged;
    for (const CopyDimension &d : dims) {
        if (!merged.empty()) {
            CopyDimension &last = merged.back();
            if (d.from == last.from * last.extent && d.to == last.to * last.extent) {
                last.extent *= d.extent;
                continue;
            }
        }
        merged.push_back(d);
    }
    if (merged.empty()) merged.push_back({1, 1, 1});
    return merged;
}

bool is_identity(const Copy &copy) {
    const std::vector<CopyDimension> dims = merge(copy.dimensions);
    return copy.from_offset == 0 && copy.to_offset == 0 && dims.size() == 1 && dims[0].from == 1 && dims[0].to == 1;
}

KernelCall copy_call(const Graph &graph, const Node &node, const Copy &copy) {
    const std::vector<CopyDimension> to = merge(copy.dimensions);
    if (to.size() > most_dimensions)
        unsupported(node, fmt::format("{} dimensions that move by themselves", to.size()), "split the operator in two");
    const std::vector<int> out_extents = extents_of_dimensions(node, to);
    KernelArgument out = strided(result_argument(graph, node, "out", copy.destination, out_extents), copy.to_offset, to, &CopyDimension::to);
    const std::string type = type_name(out.type);
    const int64_t elements = tile_bytes / info(out.type).bytes;

    // The source's dimensions by its own steps; repeated ones stay where they are.
    std::vector<CopyDimension> from = to;
    if (std::all_of(to.begin(), to.end(), [](const CopyDimension &d) { return d.from != 0; }))
        std::stable_sort(from.begin(), from.end(), [](const CopyDimension &a, const CopyDimension &b) { return std::abs(a.from) < std::abs(b.from); });
    if (from[0].from == to[0].from) {  // the innermost dimension stays: runs are moved as they are
        KernelArgument in = strided(value_argument(graph, node, "in", copy.source, out_extents), copy.from_offset, to, &CopyDimension::from);
        KernelCall call{.generator = "copy", .params = {{"type", type}, {"rank", std::to_string(to.size())}}, .arguments = {in, out}, .scalars = {}};
        set_tiles(call, out_extents, elements);
        return call;
    }
    std::string permutation;
    for (const CopyDimension &d : to)
        permutation += static_cast<char>('0' + (std::find_if(from.begin(), from.end(), [&](const CopyDimension &f) { return f.from == d.from; }) - from.begin()));
    KernelArgument in = strided(value_argument(graph, node, "in", copy.source, extents_of_dimensions(node, from)), copy.from_offset, from, &CopyDimension::from);
    return {.generator = "transpose", .params = {{"type", type}, {"permutation", permutation}}, .arguments = {in, out}, .scalars = {}};
}

}  // namespace emulsion::graph
