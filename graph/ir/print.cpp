#include "graph/ir/print.h"

#include <fmt/ranges.h>

namespace emulsion::graph {
namespace {

std::string text_of(const Attribute &a) {
    return std::visit([]<typename T>(const T &x) {
        if constexpr (std::is_same_v<T, std::string>) return fmt::format("\"{}\"", x);
        else return fmt::format("{}", x);
    }, a);
}

std::string name_of(const Graph &g, ValueId v) { return v == no_value ? "none" : "%" + g.value(v).name; }

std::string names_of(const Graph &g, const std::vector<ValueId> &ids) {
    std::vector<std::string> names;
    for (ValueId v : ids) names.push_back(name_of(g, v));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// In a quoted string of Graphviz.
std::string quoted(const std::string &s) {
    std::string out;
    for (char c : s) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return "\"" + out + "\"";
}

}  // namespace

std::string shape_text(const Value &v) {
    std::vector<std::string> extents;
    for (const Dimension &d : v.shape) extents.push_back(d.is_static() ? std::to_string(d.extent) : d.symbol);
    return fmt::format("{}[{}]", info(v.type).name, fmt::join(extents, ", "));
}

std::string type_text(const Value &v) {
    const Quantization &q = v.quantization;
    if (q.empty()) return shape_text(v);
    if (q.scale.size() == 1) return fmt::format("{} scale {} zero {}", shape_text(v), q.scale[0], q.zero_point.at(0));
    return fmt::format("{} {} scales along {}", shape_text(v), q.scale.size(), q.axis);
}

std::string to_text(const Graph &g) {
    std::string text = fmt::format("graph \"{}\" {{\n", g.name);
    for (ValueId v : g.inputs) text += fmt::format("  in    {}: {}\n", name_of(g, v), type_text(g.value(v)));
    for (size_t k = 0; k < g.values.size(); k++)
        if (const Value &v = g.values[k]; v.is_constant()) text += fmt::format("  const {}: {} data {} B\n", name_of(g, static_cast<ValueId>(k)), type_text(v), v.data->size());
    for (const Node &n : g.nodes) {
        std::vector<std::string> attributes, types;
        for (const auto &[key, value] : n.attributes) attributes.push_back(key + " = " + text_of(value));
        for (ValueId v : n.outputs) types.push_back(type_text(g.value(v)));
        text += fmt::format("  {} = {}({}){}: {}\n", names_of(g, n.outputs), n.op, names_of(g, n.inputs),
                            attributes.empty() ? "" : fmt::format(" {{{}}}", fmt::join(attributes, ", ")), fmt::join(types, "; "));
    }
    return text + fmt::format("  out   {}\n}}\n", names_of(g, g.outputs));
}

std::string to_dot(const Graph &g) {
    std::string text = fmt::format("digraph {} {{\n  node [shape=box];\n", quoted(g.name));
    std::vector<std::string> source(g.values.size());
    for (ValueId v : g.inputs) {
        source[v] = fmt::format("v{}", v);
        text += fmt::format("  v{} [label={}, shape=ellipse];\n", v, quoted(g.value(v).name));
    }
    for (size_t n = 0; n < g.nodes.size(); n++) {
        const Node &node = g.nodes[n];
        text += fmt::format("  n{} [label={}];\n", n, quoted(node.op + "\n" + node.name));
        for (ValueId v : node.inputs)
            if (v != no_value && !source[v].empty()) text += fmt::format("  {} -> n{} [label={}];\n", source[v], n, quoted(type_text(g.value(v))));
        for (ValueId v : node.outputs) source[v] = fmt::format("n{}", n);
    }
    for (size_t k = 0; k < g.outputs.size(); k++)
        if (const ValueId v = g.outputs[k]; !source[v].empty())
            text += fmt::format("  o{0} [label={1}, shape=ellipse];\n  {2} -> o{0} [label={3}];\n", k, quoted(g.value(v).name), source[v], quoted(type_text(g.value(v))));
    return text + "}\n";
}

}  // namespace emulsion::graph
