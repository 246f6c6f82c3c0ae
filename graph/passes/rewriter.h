// What passes share: who computes and who reads each value, and the one way to let readers read another value.
#pragma once
#include "graph/ir/graph.h"

#include <vector>

namespace emulsion::graph {

/// Over a graph to which no node is added meanwhile.
class Rewriter {
public:
    explicit Rewriter(Graph &graph);

    Graph &graph;
    bool changed = false;

    /// The node that computes v; null for inputs and constants.
    Node *producer(ValueId v);
    bool is_output(ValueId v) const { return outputs_[v]; }

    /// Lets input k of the node read `v`.
    void set_input(Node &node, size_t k, ValueId v);
    /// Everything that read `from` reads `to`, which must have its type, shape and quantisation. An output of the graph keeps its name, so
    /// it can be replaced by a computed value alone: false otherwise, and nothing has changed.
    bool replace(ValueId from, ValueId to);

private:
    std::vector<NodeId> producer_;
    std::vector<std::vector<NodeId>> readers_;  ///< nodes that read the value, or once did
    std::vector<bool> outputs_;
};

/// Type, shape and quantisation are equal.
bool same_kind(const Value &a, const Value &b);

}  // namespace emulsion::graph
