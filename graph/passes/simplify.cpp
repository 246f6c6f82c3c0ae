// Nodes that do nothing, undo each other, or repeat what was done.
//
//   %a = transpose(%x) {permutation = [0, 3, 1, 2]}
//   %b = transpose(%a) {permutation = [0, 2, 3, 1]}      ->    %c = relu(%x)
//   %c = relu(%b)
#include "graph/passes/passes.h"
#include "graph/passes/rewriter.h"

#include <algorithm>

namespace emulsion::graph {
namespace {

/// What the node's result can be replaced by, or no_value. A rule may also change the node itself, and then sets r.changed.
using Rule = ValueId (*)(Rewriter &r, Node &n);

const Node *input_from(Rewriter &r, const Node &n, const char *op) {
    const Node *p = r.producer(n.inputs.at(0));
    return p && p->op == op ? p : nullptr;
}

bool all_equal(const std::vector<int64_t> &list, int64_t value) {
    return std::all_of(list.begin(), list.end(), [=](int64_t x) { return x == value; });
}

ValueId only_input(Rewriter &, Node &n) { return n.inputs.size() == 1 && n.text("activation", "none") == "none" ? n.inputs[0] : no_value; }

ValueId whole_slice(Rewriter &, Node &n) { return all_equal(n.integers("step"), 1) && all_equal(n.integers("begin"), 0) ? n.inputs[0] : no_value; }
ValueId no_padding(Rewriter &, Node &n) { return all_equal(n.integers("before"), 0) && all_equal(n.integers("after"), 0) ? n.inputs[0] : no_value; }

ValueId reshape(Rewriter &r, Node &n) {
    if (const Node *before = input_from(r, n, "reshape")) r.set_input(n, 0, before->inputs[0]);
    return n.inputs[0];
}

/// Moves dimensions of extent 1 alone: memory stays as it is.
bool keeps_order(const Shape &shape, const std::vector<int64_t> &permutation) {
    std::vector<int64_t> moved;
    for (int64_t d : permutation)
        if (shape[d] != Dimension{.extent = 1}) moved.push_back(d);
    return std::is_sorted(moved.begin(), moved.end());
}

ValueId transpose(Rewriter &r, Node &n) {
    std::vector<int64_t> p = n.integers("permutation");
    if (const Node *before = input_from(r, n, "transpose")) {
        const std::vector<int64_t> first = before->integers("permutation");
        for (int64_t &d : p) d = first.at(d);
        r.set_input(n, 0, before->inputs[0]);
        n.attributes["permutation"] = p;
    }
    if (std::is_sorted(p.begin(), p.end())) return n.inputs[0];
    const Value &in = r.graph.value(n.inputs[0]), &out = r.graph.value(n.outputs[0]);
    const bool is_static = std::all_of(in.shape.begin(), in.shape.end(), [](const Dimension &d) { return d.is_static(); });
    if (is_static && in.quantization.axis < 0 && keeps_order(in.shape, p)) {
        n.op = "reshape";
        n.attributes = {{"shape", extents_of(out.shape, out.name)}};
        r.changed = true;
    }
    return no_value;
}

/// f(f(x)) = f(x), and f(f(x)) = x.
constexpr std::string_view repeatable[] = {"relu", "relu6", "relu_n1_to_1"}, involutions[] = {"neg", "logical_not", "bit_not"};

template<size_t N>
bool contains(const std::string_view (&list)[N], const std::string &word) { return std::find(std::begin(list), std::end(list), word) != std::end(list); }

ValueId unary(Rewriter &r, Node &n) {
    const Node *before = input_from(r, n, "unary");
    const std::string function = n.text("function");
    if (!before || before->text("function") != function) return no_value;
    const Value &middle = r.graph.value(n.inputs[0]);
    if (contains(repeatable, function) && same_kind(middle, r.graph.value(before->inputs[0]))) return n.inputs[0];
    return contains(involutions, function) && middle.quantization.empty() ? before->inputs[0] : no_value;
}

/// Rounding q * s / s gives q back for up to 16 bits: two roundings of float32 move it by less than 2^16 * 2^-23.
ValueId quantize(Rewriter &r, Node &n) {
    const Node *before = input_from(r, n, "dequantize");
    return before && r.graph.value(n.outputs[0]).quantization.axis < 0 ? before->inputs[0] : no_value;
}

ValueId same_operands(Rewriter &, Node &n) { return n.inputs.at(0) == n.inputs.at(1) ? n.inputs[0] : no_value; }
ValueId same_choices(Rewriter &, Node &n) { return n.inputs.at(1) == n.inputs.at(2) ? n.inputs[1] : no_value; }

/// x * 1 and x / 1 are x to the bit, for floats too; so are x - 0 and, for integers, x + 0.
ValueId neutral(Rewriter &r, const Node &n, double element) {
    const Value &b = r.graph.value(n.inputs.at(1));
    if (!b.is_constant() || !b.quantization.empty() || n.text("activation", "none") != "none") return no_value;
    const std::vector<double> all = constant_reals(b);
    return !all.empty() && std::all_of(all.begin(), all.end(), [=](double x) { return x == element; }) ? n.inputs[0] : no_value;
}
ValueId one(Rewriter &r, Node &n) { return neutral(r, n, 1); }
ValueId added_zero(Rewriter &r, Node &n) { return info(r.graph.value(n.inputs[0]).type).is_float ? no_value : neutral(r, n, 0); }

struct Row {
    std::string_view op;
    Rule rule;
};
constexpr Row rules[] = {
    {"identity", only_input}, {"cast", only_input},  {"concat", only_input}, {"split", only_input},   {"tile", only_input},       {"broadcast_to", only_input},
    {"reshape", reshape},     {"slice", whole_slice}, {"pad", no_padding},    {"transpose", transpose}, {"unary", unary},          {"quantize", quantize},
    {"minimum", same_operands}, {"maximum", same_operands}, {"select", same_choices}, {"mul", one},    {"div", one},               {"add", added_zero},
};

}  // namespace

bool simplify(Graph &graph) {
    Rewriter r(graph);
    for (Node &n : graph.nodes)
        for (const Row &row : rules) {
            if (n.op != row.op || n.outputs.size() != 1) continue;
            const ValueId by = row.rule(r, n);
            // Same type, shape and quantisation: else the node did something after all.
            if (by != no_value && same_kind(graph.value(by), graph.value(n.outputs[0]))) r.replace(n.outputs[0], by);
            break;
        }
    if (r.changed) remove_dead_nodes(graph);
    return r.changed;
}

}  // namespace emulsion::graph
