#include "graph/passes/rewriter.h"

#include <algorithm>

namespace emulsion::graph {

Rewriter::Rewriter(Graph &g) : graph(g), producer_(g.values.size(), -1), readers_(g.values.size()), outputs_(g.values.size(), false) {
    for (size_t n = 0; n < g.nodes.size(); n++) {
        for (ValueId v : g.nodes[n].outputs) producer_[v] = static_cast<NodeId>(n);
        for (ValueId v : g.nodes[n].inputs)
            if (v != no_value) readers_[v].push_back(static_cast<NodeId>(n));
    }
    for (ValueId v : g.outputs) outputs_[v] = true;
}

Node *Rewriter::producer(ValueId v) { return v == no_value || producer_[v] < 0 ? nullptr : &graph.nodes[producer_[v]]; }

void Rewriter::set_input(Node &node, size_t k, ValueId v) {
    node.inputs.at(k) = v;
    readers_[v].push_back(static_cast<NodeId>(&node - graph.nodes.data()));
    changed = true;
}

bool Rewriter::replace(ValueId from, ValueId to) {
    if (from == to) return false;
    if (outputs_[from]) {
        if (!producer(to) || outputs_[to]) return false;
        std::swap(graph.value(from).name, graph.value(to).name);
        std::replace(graph.outputs.begin(), graph.outputs.end(), from, to);
        outputs_[from] = false;
        outputs_[to] = true;
    }
    for (NodeId n : readers_[from]) std::replace(graph.nodes[n].inputs.begin(), graph.nodes[n].inputs.end(), from, to);
    readers_[to].insert(readers_[to].end(), readers_[from].begin(), readers_[from].end());
    readers_[from].clear();
    return changed = true;
}

bool same_kind(const Value &a, const Value &b) { return a.type == b.type && a.shape == b.shape && a.quantization == b.quantization; }

}  // namespace emulsion::graph
