#include "graph/passes/verify_graph.h"

#include "graph/ir/operator_table.h"
#include "runtime/diag/diag.h"

#include <cmath>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace emulsion::graph {
namespace {

[[noreturn]] void invalid(const std::string &place, const std::string &rule) { raise(Diag::graph_invalid, {.stage = "graph", .node = place}, rule); }

/// How many operands "input weights bias?" or "input..." allows.
struct Count {
    size_t least = 0, most = 0;
};

Count count_of(std::string_view words) {
    Count c;
    std::istringstream in{std::string(words)};
    for (std::string word; in >> word;) {
        const bool any = word.ends_with("...");
        c.most = any ? SIZE_MAX : c.most + 1;
        if (!word.ends_with("?")) c.least++;
    }
    return c;
}

/// Type word of attribute `key` in "stride: ints = 1 1; groups: int = 1", or "".
std::string attribute_type(std::string_view attributes, const std::string &key) {
    std::istringstream rows{std::string(attributes)};
    for (std::string row; std::getline(rows, row, ';');) {
        std::istringstream in(row);
        std::string name, type;
        in >> name >> type;
        if (name == key + ":") return type;
    }
    return "";
}

constexpr const char *type_words[] = {"int", "real", "text", "ints", "reals"};  ///< by index of Attribute

class Verifier {
public:
    explicit Verifier(const Graph &graph) : graph_(graph), scratch_(graph), ready_(graph.values.size(), false) {}

    void run() {
        for (const Value &v : graph_.values) check_value(v);
        for (ValueId v : graph_.inputs) make_ready(v, "the graph's inputs");
        for (size_t v = 0; v < graph_.values.size(); v++)
            if (graph_.values[v].is_constant()) make_ready(static_cast<ValueId>(v), "the constants");
        for (const Node &n : graph_.nodes) check_node(n);
        for (ValueId v : graph_.outputs)
            if (!is_ready(v, "the graph's outputs")) invalid(graph_.value(v).name, "an output is never computed");
    }

private:
    const Graph &graph_;
    Graph scratch_;  ///< shape rules write here
    std::vector<bool> ready_;
    std::set<std::string> value_names_, node_names_;

    bool is_ready(ValueId v, const std::string &where) const {
        if (v < 0 || v >= std::ssize(graph_.values)) invalid(where, fmt::format("value {} is not one of {}", v, graph_.values.size()));
        return ready_[v];
    }

    void make_ready(ValueId v, const std::string &where) {
        if (is_ready(v, where)) invalid(graph_.value(v).name, "a value is computed twice");
        ready_[v] = true;
    }

    void check_value(const Value &v) {
        if (v.name.empty() || !value_names_.insert(v.name).second) invalid(v.name, "a value has no name of its own");
        int64_t elements = 1;
        for (const Dimension &d : v.shape) {
            if (d.is_static() && d.extent < 0) invalid(v.name, "an extent is negative");
            elements *= d.is_static() ? d.extent : 0;
        }
        if (v.is_constant() && std::ssize(*v.data) != bytes_of(v.type, elements))
            invalid(v.name, fmt::format("a constant holds {} B, its shape takes {} B", v.data->size(), bytes_of(v.type, elements)));
        check_quantization(v);
    }

    static void check_quantization(const Value &v) {
        const Quantization &q = v.quantization;
        if (q.scale.size() != q.zero_point.size()) invalid(v.name, "scales and zero points differ in number");
        for (float s : q.scale)
            if (!std::isfinite(s) || s <= 0) invalid(v.name, "a scale is no positive number");
        if (q.empty() || q.axis < 0) {
            if (q.scale.size() > 1) invalid(v.name, "several scales and no axis");
            return;
        }
        if (q.axis >= std::ssize(v.shape)) invalid(v.name, "the quantised axis is not a dimension");
        const Dimension &d = v.shape[q.axis];
        if (d.is_static() && d.extent != std::ssize(q.scale)) invalid(v.name, fmt::format("{} scales along an axis of extent {}", q.scale.size(), d.extent));
    }

    void check_node(const Node &n) {
        const OperatorInfo *op = find_operator(n.op);
        if (!op) raise(Diag::operator_unknown, {.stage = "graph", .node = n.name}, n.op, "see docs/operators.md");
        if (n.name.empty() || !node_names_.insert(n.name).second) invalid(n.name, "a node has no name of its own");
        check_count(n, "inputs", op->inputs, n.inputs.size());
        check_count(n, "outputs", op->outputs, n.outputs.size());
        for (const auto &[key, value] : n.attributes)
            if (attribute_type(op->attributes, key) != type_words[value.index()]) invalid(n.name, fmt::format("operator {} has no attribute \"{}\" of this type", n.op, key));
        for (ValueId v : n.inputs)
            if (v != no_value && !is_ready(v, n.name)) invalid(n.name, fmt::format("\"{}\" is read before it is computed", graph_.value(v).name));
        for (ValueId v : n.outputs) make_ready(v, n.name);
        op->infer(scratch_, n);
        for (ValueId v : n.outputs) {
            const Value &stated = graph_.value(v), &ruled = scratch_.value(v);
            if (stated.type != ruled.type || stated.shape != ruled.shape) invalid(n.name, fmt::format("\"{}\" is not of the type and shape that operator {} gives", stated.name, n.op));
        }
    }

    static void check_count(const Node &n, const char *what, std::string_view words, size_t have) {
        const Count c = count_of(words);
        if (have < c.least || have > c.most) invalid(n.name, fmt::format("operator {} has {} {}: {}", n.op, have, what, words));
    }
};

}  // namespace

void verify_graph(const Graph &graph) { Verifier(graph).run(); }

}  // namespace emulsion::graph
