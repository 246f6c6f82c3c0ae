// pad: elements around a tensor, or, with negative numbers, fewer.
#include "graph/ops/copies.h"
#include "graph/ops/pad_call.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

constexpr size_t most_dimensions = 6;  // of the generator

struct PadDimension {
    int64_t in, out, before, stride;
    bool whole() const { return before == 0 && in == out; }
};

// Innermost first. A dimension without padding joins the one outside it: with a constant, padding counts whole rows of it.
std::vector<PadDimension> merged(const PadCall &p) {
    const std::vector<int64_t> strides = p.in_strides.empty() ? dense_strides(p.in) : p.in_strides;
    std::vector<PadDimension> dims;
    for (size_t d = p.in.size(); d-- > 0;) {
        const PadDimension next{p.in[d], p.out[d], p.before[d], strides[d]};
        if (next.in == 1 && next.out == 1) continue;
        if (!dims.empty()) {
            PadDimension &last = dims.back();
            const bool run = next.in == 1 || next.stride == last.in * last.stride;
            if (last.whole() && run && (p.mode == "constant" || next.whole())) {
                last = {next.in * last.in, next.out * last.in, next.before * last.in, last.stride};
                continue;
            }
        }
        dims.push_back(next);
    }
    return dims;
}

std::string stored_value(const Value &v, double real) {
    if (v.quantization.empty()) return std::isinf(real) ? fmt::format("{}", std::copysign(3.4028234663852886e38, real)) : fmt::format("{}", real);
    const double q = std::round(real / v.quantization.scale[0]) + v.quantization.zero_point[0];
    const double low = info(v.type).is_signed ? -std::ldexp(1, info(v.type).bits - 1) : 0;
    return fmt::format("{}", std::clamp(q, low, low + std::ldexp(1, info(v.type).bits) - 1));
}

}  // namespace

KernelCall pad_call(const Graph &graph, const Node &node, const PadCall &p) {
    std::vector<PadDimension> dims = merged(p);
    if (dims.size() > most_dimensions) unsupported(node, fmt::format("padding in {} dimensions", dims.size()), "pad in two steps");
    if (dims.empty()) dims.push_back({1, 1, 0, 1});
    const Value &in = input(graph, node, 0);
    KernelCall call{.generator = "pad", .params = {{"mode", p.mode}, {"value", stored_value(in, p.value)}}, .arguments = {}, .scalars = {}};
    std::vector<int> in_extents, out_extents;
    std::vector<int64_t> strides;
    int axes = 0;
    int64_t dense = 1;
    bool is_dense = true;
    for (size_t d = 0; d < dims.size(); d++) {
        const PadDimension &x = dims[d];
        in_extents.push_back(innermost_first(node, {x.in})[0]);
        out_extents.push_back(innermost_first(node, {x.out})[0]);
        strides.push_back(x.in == 1 ? dense : x.stride);
        is_dense = is_dense && strides.back() == dense;
        dense *= x.in;
        if (!x.whole()) axes |= 1 << d;
        call.params[fmt::format("before_{}", d)] = std::to_string(x.before);
    }
    call.params["axes"] = std::to_string(axes);
    call.params["rank"] = std::to_string(dims.size());
    KernelArgument a = value_argument(graph, node, "in", input_id(node, 0), in_extents);
    a.offset = p.in_offset;
    if (!is_dense) a.strides = strides;
    KernelArgument o = result_argument(graph, node, "out", node.outputs[0], out_extents);
    o.offset = p.out_offset;
    call.params["type"] = type_name(o.type);
    call.arguments = {a, o};
    return call;
}

void infer_pad(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    const std::vector<int64_t> before = node.integers("before"), after = node.integers("after");
    if (before.size() != in.shape.size() || after.size() != in.shape.size())
        mismatch(node, fmt::format("{} and {} paddings for rank {}", before.size(), after.size(), in.shape.size()));
    const std::string mode = node.text("mode", "constant");
    if (mode != "constant" && mode != "reflect" && mode != "symmetric" && mode != "edge") mismatch(node, fmt::format("mode \"{}\"", mode));
    Shape shape = in.shape;
    for (size_t d = 0; d < shape.size(); d++) {
        if (before[d] == 0 && after[d] == 0) continue;
        if (!shape[d].is_static()) extents(in);  // raises EM704
        const int64_t most = mode == "reflect" ? shape[d].extent - 1 : shape[d].extent;
        if ((mode == "reflect" || mode == "symmetric") && std::max(before[d], after[d]) > most)
            mismatch(node, fmt::format("{} elements mirrored out of {}", std::max(before[d], after[d]), most));
        shape[d].extent += before[d] + after[d];
        if (shape[d].extent < 1) mismatch(node, "nothing is left");
    }
    set_output(graph, node, 0, in, shape);
}

std::vector<KernelCall> lower_pad(const Graph &graph, const Node &node) {
    PadCall p{.in = extents(input(graph, node, 0)), .out = extents(output(graph, node)), .before = node.integers("before")};
    p.mode = node.text("mode", "constant");
    p.value = node.real("value");
    if (p.in == p.out && std::all_of(p.before.begin(), p.before.end(), [](int64_t b) { return b == 0; })) return {};
    return {pad_call(graph, node, p)};
}

}  // namespace emulsion::graph
