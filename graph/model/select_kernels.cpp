#include "graph/model/select_kernels.h"

#include "graph/ir/operator_table.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace emulsion::graph {
namespace {

const OperatorInfo &operator_of(const Node &node) {
    const OperatorInfo *op = find_operator(node.op);
    if (!op) raise(Diag::operator_unknown, {.stage = "graph", .node = node.name}, node.op, "see docs/operators.md");
    return *op;
}

CompileRequest request_of(const KernelCall &call, const std::string &name) {
    CompileRequest r{.generator = call.generator, .params = call.params, .scalars = call.scalars, .function_name = name};
    for (const KernelArgument &a : call.arguments) {
        r.shapes[a.name] = a.extents;
        if (!a.strides.empty()) r.strides[a.name] = {a.strides.begin(), a.strides.end()};
    }
    return r;
}

constexpr size_t image_rank = 4;

bool is_elementwise(const KernelCall &call) {
    static const std::vector<std::string> names = {"add", "sub", "mul", "minimum", "maximum"};
    return std::find(names.begin(), names.end(), call.generator) != names.end();
}

/// An element-wise call on tensors of one shape has merged its dimensions; beside a window operator it walks (c, x, y, b).
bool unmerge(KernelCall &call, const std::vector<int> &extents) {
    const auto same = [](const std::vector<int> &a, const std::vector<int> &b) {
        return std::accumulate(a.begin(), a.end(), int64_t{1}, std::multiplies<>()) == std::accumulate(b.begin(), b.end(), int64_t{1}, std::multiplies<>());
    };
    for (KernelArgument &a : call.arguments) {
        if (!a.strides.empty() || a.offset != 0 || !same(a.extents, extents)) return false;
        a.extents = extents;
    }
    call.params["rank"] = std::to_string(image_rank);
    call.params["a_broadcast"] = call.params["b_broadcast"] = "0";
    for (const char *tile : {"tile_0", "tile_1"}) call.params.erase(tile);
    return true;
}

std::vector<int> output_extents(const KernelCall &call) {
    for (const KernelArgument &a : call.arguments)
        if (a.output) return a.extents;
    return {};
}

/// The one call of a node that can be part of a group.
std::optional<KernelCall> single_call(const Graph &graph, const Node &node) {
    std::vector<KernelCall> calls = operator_of(node).lower(graph, node);
    if (calls.size() != 1 || node.outputs.size() != 1) return {};
    return std::move(calls[0]);
}

}  // namespace

std::vector<Kernel> node_kernels(const Graph &graph, NodeId id) {
    const Node &node = graph.nodes.at(id);
    std::vector<Kernel> kernels;
    for (KernelCall &call : operator_of(node).lower(graph, node)) {
        Kernel k{.name = node.name, .nodes = {id}, .request = request_of(call, node.name), .arguments = std::move(call.arguments)};
        k.scalars = std::move(call.scalars);
        kernels.push_back(std::move(k));
    }
    return kernels;
}

std::optional<Kernel> group_kernel(const Graph &graph, const std::vector<NodeId> &nodes, size_t anchor) {
    const Node &last = graph.nodes.at(nodes.back());
    Kernel k{.name = last.name, .nodes = nodes, .request = {.generator = last.name, .function_name = last.name}};
    const std::optional<KernelCall> anchor_call = single_call(graph, graph.nodes.at(nodes[anchor]));
    if (!anchor_call || output_extents(*anchor_call).size() != image_rank) return {};
    for (size_t n = 0; n < nodes.size(); n++) {
        std::optional<KernelCall> call = n == anchor ? anchor_call : single_call(graph, graph.nodes.at(nodes[n]));
        if (!call || (n > anchor && is_elementwise(*call) && !unmerge(*call, output_extents(*anchor_call)))) return {};
        GroupPart part{.generator = call->generator, .params = call->params, .input = {}, .anchor = n == anchor};
        const std::string prefix = fmt::format("p{}_", n);
        const ValueId fed = n > 0 ? graph.nodes.at(nodes[n - 1]).outputs[0] : no_value;
        for (KernelArgument &a : call->arguments) {
            if (a.output) {
                if (n + 1 < nodes.size()) continue;
                k.request.shapes[a.name] = a.extents;
                k.arguments.push_back(std::move(a));
                continue;
            }
            k.request.shapes[prefix + a.name] = a.extents;
            if (n > 0 && a.value == fed && part.input.empty()) {
                if (a.offset != 0 || !a.strides.empty()) return {};
                part.input = a.name;
                continue;
            }
            a.name = prefix + a.name;
            k.arguments.push_back(std::move(a));
        }
        if (n > 0 && part.input.empty()) return {};
        for (const auto &[name, value] : call->scalars) k.request.scalars[prefix + name] = value;
        k.request.parts.push_back(std::move(part));
    }
    return k;
}

}  // namespace emulsion::graph
