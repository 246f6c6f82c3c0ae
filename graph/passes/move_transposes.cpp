// Transposes sink toward the outputs through nodes that do not care for the order of dimensions, until they meet their inverse (simplify
// cancels the pair) or the end. Models in N C H W come with a pair around each window operator.
//
//   %a = transpose(%x) {permutation = [0, 3, 1, 2]}      %r = relu(%x)
//   %b = relu(%a)                                   ->   %b = transpose(%r) {permutation = [0, 3, 1, 2]}
#include "graph/passes/passes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace emulsion::graph {
namespace {

constexpr std::string_view element_wise[] = {"unary", "clip", "cast", "quantize", "dequantize", "add", "sub", "mul", "div", "minimum", "maximum"};

using Ints = std::vector<int64_t>;

class Mover {
public:
    explicit Mover(Graph &graph) : graph_(graph), producer_(graph.values.size(), -1), reads_(graph.values.size(), 0) {
        for (size_t n = 0; n < graph.nodes.size(); n++) {
            for (ValueId v : graph.nodes[n].outputs) producer_[v] = static_cast<NodeId>(n);
            for (ValueId v : graph.nodes[n].inputs)
                if (v != no_value) reads_[v]++;
            node_names_.insert(graph.nodes[n].name);
        }
        for (ValueId v : graph.outputs) reads_[v]++;
        for (const Value &v : graph.values) value_names_.insert(v.name);
    }

    /// Nodes come after what they read, so a transpose that has sunk below one is seen by the next.
    bool run() {
        bool changed = false;
        const size_t count = graph_.nodes.size();
        for (size_t n = 0; n < count; n++) {
            const std::optional<Ints> p = permutation_above(graph_.nodes[n]);
            if (!p) continue;
            sink(static_cast<NodeId>(n), *p);
            changed = true;
        }
        if (changed) graph_.compact();
        return changed;
    }

private:
    Graph &graph_;
    std::vector<NodeId> producer_;
    std::vector<int> reads_;
    std::set<std::string> node_names_, value_names_;

    static std::string fresh(std::set<std::string> &taken, const std::string &wanted) {
        std::string name = wanted;
        for (int k = 1; !taken.insert(name).second; k++) name = wanted + "_" + std::to_string(k);
        return name;
    }

    /// A value that one node computes and one reads.
    ValueId add_value(Value v, NodeId producer) {
        producer_.push_back(producer);
        reads_.push_back(1);
        return graph_.add_value(std::move(v));
    }

    /// The transpose that computes v for this one reader.
    const Node *transpose_above(ValueId v) const {
        if (producer_[v] < 0 || reads_[v] != 1) return nullptr;
        const Node &t = graph_.nodes[producer_[v]];
        return t.op == "transpose" && t.outputs[0] == v ? &t : nullptr;
    }

    /// The one permutation of all inputs, when the node can work below it.
    std::optional<Ints> permutation_above(const Node &n) const {
        const bool is_concat = n.op == "concat";
        if (!is_concat && std::find(std::begin(element_wise), std::end(element_wise), n.op) == std::end(element_wise)) return {};
        const Value &out = graph_.value(n.outputs[0]);
        if (out.quantization.axis >= 0) return {};
        std::optional<Ints> found;
        for (ValueId v : n.inputs) {
            if (v == no_value || graph_.value(v).quantization.axis >= 0) return {};
            if (graph_.value(v).is_constant()) {
                const Value &c = graph_.value(v);
                if (is_concat || (element_count(extents_of(c.shape, c.name)) != 1 && c.shape.size() != out.shape.size())) return {};
                continue;
            }
            const Node *t = transpose_above(v);
            if (!t) return {};
            const Ints p = t->integers("permutation");
            if (p.size() != out.shape.size() || (found && *found != p)) return {};
            found = p;
        }
        return found;
    }

    ValueId add_transpose(ValueId in, const Value &like, const Ints &permutation, const std::string &name) {
        Value v = like;
        v.name = fresh(value_names_, name);
        v.data = nullptr;
        v.shape.clear();
        for (int64_t d : permutation) v.shape.push_back(graph_.value(in).shape[d]);
        const ValueId out = add_value(std::move(v), static_cast<NodeId>(graph_.nodes.size()));
        graph_.add_node({.op = "transpose", .name = fresh(node_names_, name), .inputs = {in}, .outputs = {out}, .attributes = {{"permutation", permutation}}, .origin = ""});
        return out;
    }

    void sink(NodeId id, const Ints &p) {
        Ints inverse(p.size());
        for (size_t d = 0; d < p.size(); d++) inverse[p[d]] = static_cast<int64_t>(d);
        const std::vector<ValueId> inputs = graph_.nodes[id].inputs;
        for (size_t k = 0; k < inputs.size(); k++) {
            ValueId to = inputs[k];
            if (transpose_above(to)) {
                Node &t = graph_.nodes[producer_[to]];
                to = t.inputs[0];
                t.op.clear();  // n was its only reader
            } else if (graph_.value(to).shape.size() == p.size()) {
                const Value like = graph_.value(to);
                to = add_transpose(to, like, inverse, like.name + ".transposed");
            }
            graph_.nodes[id].inputs[k] = to;
        }
        Node &n = graph_.nodes[id];
        if (n.op == "concat") {
            const int64_t axis = n.integer("axis"), rank = std::ssize(p);
            n.attributes["axis"] = p[axis < 0 ? axis + rank : axis];
        }
        const ValueId out = n.outputs[0];
        Value below = graph_.value(out);
        below.name = fresh(value_names_, below.name + ".untransposed");
        for (size_t d = 0; d < p.size(); d++) below.shape[p[d]] = graph_.value(out).shape[d];
        const ValueId computed = add_value(std::move(below), id);
        producer_[out] = static_cast<NodeId>(graph_.nodes.size());
        graph_.nodes[id].outputs[0] = computed;
        const std::string name = fresh(node_names_, graph_.nodes[id].name + ".transpose"), origin = graph_.nodes[id].origin;
        graph_.add_node({.op = "transpose", .name = name, .inputs = {computed}, .outputs = {out}, .attributes = {{"permutation", p}}, .origin = origin});
    }
};

}  // namespace

bool move_transposes(Graph &graph) { return Mover(graph).run(); }

}  // namespace emulsion::graph
