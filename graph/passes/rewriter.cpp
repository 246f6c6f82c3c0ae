#include "graph/passes/rewriter.h"

#include <algorithm>

namespace emulsion::graph {

Rewriter::Rewriter(Graph &g) : graph(g), producer_(g.values.size(), -1), outputs_(g.values.size(), false) {
    for (size_t n = 0; n < g.nodes.size(); n++)
        for (ValueId v : g.nodes[n].outputs) producer_[v] = static_cast<NodeId>(n);
    for (ValueId v : g.outputs) outputs_[v] = true;
}

Node *Rewriter::producer(ValueId v) { return v == no_value || producer_[v] < 0 ? nullptr : &graph.nodes[producer_[v]]; }

bool Rewriter::replace(ValueId from, ValueId to) {
    if (from == to) return false;
    if (outputs_[from]) {
        if (!producer(to) || outputs_[to]) return false;
        std::swap(graph.value(from).name, graph.value(to).name);
        std::replace(graph.outputs.begin(), graph.outputs.end(), from, to);
        outputs_[from] = false;
        outputs_[to] = true;
    }
    for (Node &n : graph.nodes) std::replace(n.inputs.begin(), n.inputs.end(), from, to);
    return changed = true;
}

bool same_kind(const Value &a, const Value &b) { return a.type == b.type && a.shape == b.shape && a.quantization == b.quantization; }

}  // namespace emulsion::graph
