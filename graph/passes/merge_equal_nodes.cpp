// Common subexpressions: the same operator on the same values.
//
//   %a = relu(%x)                  %a = relu(%x)
//   %b = relu(%x)            ->    %c = add(%a, %a)
//   %c = add(%a, %b)
#include "graph/passes/passes.h"
#include "graph/passes/rewriter.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace emulsion::graph {
namespace {

using Key = std::tuple<std::string, std::vector<ValueId>, std::map<std::string, Attribute>>;

bool same_results(const Graph &graph, const Node &a, const Node &b) {
    return std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                      [&](ValueId x, ValueId y) { return same_kind(graph.value(x), graph.value(y)); });
}

}  // namespace

bool merge_equal_nodes(Graph &graph) {
    Rewriter rewriter(graph);
    std::map<Key, size_t> first;
    for (size_t k = 0; k < graph.nodes.size(); k++) {
        const Node &n = graph.nodes[k];
        if (n.op == "unknown") continue;
        const auto [it, fresh] = first.try_emplace({n.op, n.inputs, n.attributes}, k);
        if (fresh || !same_results(graph, graph.nodes[it->second], n)) continue;
        const std::vector<ValueId> from = n.outputs, to = graph.nodes[it->second].outputs;
        for (size_t o = 0; o < from.size(); o++) rewriter.replace(from[o], to[o]);
    }
    return rewriter.changed;
}

}  // namespace emulsion::graph
