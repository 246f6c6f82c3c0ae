#include "graph/model/choose_groups.h"

#include <algorithm>
#include <string_view>

namespace emulsion::graph {
namespace {

bool one_of(std::string_view op, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), op) != names.end();
}

bool is_anchor(const Node &n) { return one_of(n.op, {"conv2d", "depthwise_conv2d"}); }
bool is_epilogue(const Node &n) { return one_of(n.op, {"add", "sub", "mul", "minimum", "maximum"}); }

class Finder {
public:
    explicit Finder(const Graph &graph) : graph_(graph), consumers_(graph.values.size()), producer_(graph.values.size(), -1) {
        for (size_t n = 0; n < graph.nodes.size(); n++) {
            for (ValueId v : graph.nodes[n].inputs)
                if (v != no_value) consumers_[v].push_back(static_cast<NodeId>(n));
            for (ValueId v : graph.nodes[n].outputs) producer_[v] = static_cast<NodeId>(n);
        }
        outputs_.assign(graph.values.size(), false);
        for (ValueId v : graph.outputs) outputs_[v] = true;
    }

    /// Chains with `anchor` as their anchor, longest first.
    std::vector<Chain> chains(NodeId anchor) const {
        std::vector<NodeId> tail;
        for (NodeId n = anchor; (n = next_epilogue(n)) >= 0 && tail.size() < 3;) tail.push_back(n);
        const NodeId head = pointwise(anchor) ? depthwise_before(anchor) : -1;
        std::vector<Chain> found;
        for (const bool with_head : {true, false})
            for (size_t length = tail.size() + 1; length-- > 0;) {
                if (with_head && head < 0) continue;
                if (!with_head && length == 0) continue;
                Chain c;
                if (with_head) c.nodes.push_back(head);
                c.anchor = c.nodes.size();
                c.nodes.push_back(anchor);
                c.nodes.insert(c.nodes.end(), tail.begin(), tail.begin() + static_cast<ptrdiff_t>(length));
                found.push_back(std::move(c));
            }
        return found;
    }

private:
    const Graph &graph_;
    std::vector<std::vector<NodeId>> consumers_;
    std::vector<NodeId> producer_;
    std::vector<bool> outputs_;

    NodeId only_reader(NodeId n) const {
        const Node &node = graph_.nodes[n];
        if (node.outputs.size() != 1 || outputs_[node.outputs[0]] || consumers_[node.outputs[0]].size() != 1) return -1;
        return consumers_[node.outputs[0]][0];
    }

    /// An element-wise node of the same shape whose other operand exists before the chain begins is the caller's to check: nodes run in
    /// order, and the group runs where its last node stood.
    NodeId next_epilogue(NodeId n) const {
        const NodeId reader = only_reader(n);
        if (reader < 0 || !is_epilogue(graph_.nodes[reader])) return -1;
        const Value &out = graph_.value(graph_.nodes[reader].outputs[0]);
        for (ValueId v : graph_.nodes[reader].inputs)
            if (v == no_value || graph_.value(v).shape != out.shape || graph_.value(v).is_constant()) return -1;
        return graph_.nodes[reader].inputs[0] == graph_.nodes[reader].inputs[1] ? -1 : reader;
    }

    bool pointwise(NodeId n) const {
        const Node &node = graph_.nodes[n];
        const Value &w = graph_.value(node.inputs[1]);
        const std::vector<int64_t> one{1, 1}, none{0, 0, 0, 0};
        return node.op == "conv2d" && w.shape.size() == 4 && w.shape[1].extent == 1 && w.shape[2].extent == 1 &&
               node.integers("stride", one) == one && node.integers("padding", none) == none && node.integer("groups", 1) == 1;
    }

    NodeId depthwise_before(NodeId n) const {
        const NodeId p = producer_[graph_.nodes[n].inputs[0]];
        return p >= 0 && graph_.nodes[p].op == "depthwise_conv2d" && only_reader(p) == n ? p : -1;
    }
};

}  // namespace

std::vector<std::vector<Chain>> candidate_chains(const Graph &graph) {
    const Finder finder(graph);
    std::vector<std::vector<Chain>> all;
    for (size_t n = 0; n < graph.nodes.size(); n++) {
        if (!is_anchor(graph.nodes[n])) continue;
        std::vector<Chain> chains = finder.chains(static_cast<NodeId>(n));
        if (!chains.empty()) all.push_back(std::move(chains));
    }
    return all;
}

}  // namespace emulsion::graph
