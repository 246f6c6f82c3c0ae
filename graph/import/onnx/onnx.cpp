#include "graph/import/onnx.h"

#include "graph/import/onnx/operator_import.h"
#include "graph/import/onnx/order.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

namespace emulsion::graph {
namespace {

using namespace onnx_import;
using format::AttributeProto, format::FunctionProto, format::GraphProto, format::NodeProto;

constexpr int most_nested = 32;  ///< functions and branches inside one another
constexpr int most_values = 1 << 20;

/// Names of one graph or function body; branches see the names around them.
struct Scope {
    const Scope *outer = nullptr;
    std::map<std::string, ValueId> values{};
    std::map<std::string, int64_t> opsets{};
    int depth = 0;

    ValueId find(const std::string &name) const {
        for (const Scope *s = this; s; s = s->outer)
            if (auto it = s->values.find(name); it != s->values.end()) return it->second;
        return no_value;
    }
    int64_t opset(const std::string &domain) const {
        const auto it = opsets.find(domain == "ai.onnx" ? "" : domain);
        return it == opsets.end() ? 1 : it->second;
    }
};

template<typename List>
std::map<std::string, int64_t> opsets_of(const List &imports) {
    std::map<std::string, int64_t> opsets;
    for (const auto &o : imports) opsets[o.domain() == "ai.onnx" ? "" : o.domain()] = o.version();
    return opsets;
}

/// A node of a function's body with the caller's attributes in place of references to them.
void substitute(NodeProto &node, const std::map<std::string, AttributeProto> &given) {
    auto &list = *node.mutable_attribute();
    for (int k = list.size() - 1; k >= 0; k--) {
        AttributeProto &a = list[k];
        if (a.has_g())
            for (NodeProto &n : *a.mutable_g()->mutable_node()) substitute(n, given);
        if (a.ref_attr_name().empty()) continue;
        const auto value = given.find(a.ref_attr_name());
        if (value == given.end()) {
            list.DeleteSubrange(k, 1);
            continue;
        }
        const std::string name = a.name();
        a = value->second;
        a.set_name(name);
    }
}

class Importer {
public:
    Importer(std::span<const uint8_t> file, const std::string &name, const std::map<std::string, int64_t> &symbols) : symbols_(symbols) {
        google::protobuf::io::ArrayInputStream bytes(file.data(), static_cast<int>(std::min<size_t>(file.size(), INT32_MAX)));
        if (file.empty() || file.size() > INT32_MAX || !model_.ParseFromZeroCopyStream(&bytes)) broken("its bytes are no ONNX model");
        if (!model_.has_graph() || model_.opset_import_size() == 0) broken("it has no graph, or names no operator set");
        draft_.graph.name = name;
        draft_.fold_budget = std::max<int64_t>(draft_.fold_budget, 4 * static_cast<int64_t>(file.size()));
    }

    Graph run() {
        for (const FunctionProto &f : model_.functions()) functions_[{f.domain(), f.name(), f.overload()}] = &f;
        const GraphProto &g = model_.graph();
        if (g.input_size() + g.initializer_size() + g.node_size() > most_values) broken("it has too many values");
        Scope scope{.opsets = opsets_of(model_.opset_import())};
        add_initializers(g, scope);
        for (const auto &input : g.input()) add_input(input, scope);
        state_types(g);
        add_nodes(g.node(), scope);
        for (const auto &output : g.output()) add_output(output.name(), scope);
        if (draft_.graph.outputs.empty()) broken("it has no outputs");
        drop_unused();
        draft_.graph.compact();
        return std::move(draft_.graph);
    }

private:
    format::ModelProto model_;
    const std::map<std::string, int64_t> &symbols_;
    Draft draft_;
    std::map<std::tuple<std::string, std::string, std::string>, const FunctionProto *> functions_;
    std::map<std::string, const format::TypeProto *> stated_;  ///< by value name
    int position_ = 0;

    void add_initializers(const GraphProto &g, Scope &scope) {
        if (g.sparse_initializer_size() > 0) broken("it has sparse constants, which are not read here");
        for (const auto &t : g.initializer()) {
            if (scope.values.contains(t.name())) broken(fmt::format("constant \"{}\" is given twice", t.name()));
            scope.values[t.name()] = draft_.graph.add_value(constant_from(t, draft_.unique(t.name())));
        }
    }

    /// Inputs with a constant of their name are defaults that a caller could replace; here they are constants.
    void add_input(const format::ValueInfoProto &input, Scope &scope) {
        if (const ValueId v = scope.find(input.name()); v != no_value) {
            if (std::count(draft_.graph.inputs.begin(), draft_.graph.inputs.end(), v)) broken(fmt::format("input \"{}\" is listed twice", input.name()));
            return;
        }
        Value v = value_from(input.type(), input.name());
        for (Dimension &d : v.shape)
            if (auto it = symbols_.find(d.symbol); it != symbols_.end()) d = {.extent = it->second};
        draft_.names[v.name]++;
        scope.values[input.name()] = draft_.graph.add_value(std::move(v));
        draft_.graph.inputs.push_back(scope.values[input.name()]);
    }

    void state_types(const GraphProto &g) {
        for (const auto &v : g.value_info()) stated_[v.name()] = &v.type();
        for (const auto &v : g.output()) stated_[v.name()] = &v.type();
    }

    void add_nodes(const Nodes &nodes, Scope &scope) {
        if (scope.depth > most_nested) raise(Diag::model_limit, {.stage = "onnx"}, "the nesting of functions and branches", "deeper", most_nested);
        for (int k : import_order(nodes)) {
            if (scope.depth == 0) position_ = k;
            if (--draft_.node_budget < 0) raise(Diag::model_limit, {.stage = "onnx"}, "the number of nodes", "larger", int64_t{1} << 18);
            add_node(nodes[k], scope);
        }
    }

    void add_node(const NodeProto &node, Scope &scope) {
        const std::string origin = fmt::format("{} #{}", node.op_type(), position_);
        std::vector<ValueId> in;
        for (const std::string &name : node.input()) {
            in.push_back(name.empty() ? no_value : scope.find(name));
            if (!name.empty() && in.back() == no_value) broken(fmt::format("\"{}\" is read by {} and nobody writes it", name, origin), origin);
        }
        for (const std::string &name : node.output())
            if (!name.empty() && scope.values.contains(name)) broken(fmt::format("\"{}\" is written twice", name), origin);
        if (add_function(node, in, scope)) return;
        if (node.op_type() == "If" && add_branch(node, in, scope)) return;
        add_operator(node, origin, std::move(in), scope);
    }

    void add_operator(const NodeProto &node, const std::string &origin, std::vector<ValueId> in, Scope &scope) {
        const auto named = std::find_if(node.output().begin(), node.output().end(), [](const std::string &s) { return !s.empty(); });
        if (named == node.output().end()) return;  // nobody can see what it does
        const std::string name = draft_.unique(*named);
        NodeWords words{.kind = node.op_type(), .opset = scope.opset(node.domain()), .inputs = std::move(in), .outputs = {node.output().begin(), node.output().end()}};
        OperatorImport op(draft_, name, origin, words, AttributeReader(node, origin));
        const size_t nodes_before = draft_.graph.nodes.size();
        const auto first_new = static_cast<ValueId>(draft_.graph.values.size());
        const OperatorRow *row = find_row(node.domain(), node.op_type());
        std::string why;
        bool known = row != nullptr;
        if (row) {
            try {
                row->import(op);
            } catch (const Error &e) {
                if (e.diagnostic().id != Diag::operator_unsupported) throw;
                known = false;
                const std::string &text = e.diagnostic().message, intro = "operator " + origin + ": ";
                why = text.starts_with(intro) ? text.substr(intro.size()) : text;
                draft_.graph.nodes.resize(nodes_before);
            }
        }
        if (known) bind_results(op, words, name, nodes_before, first_new, scope);
        else add_unknown(node, why, origin, name, words, scope);
    }

    /// Results carry the model's names, and so do the nodes that compute them.
    void bind_results(const OperatorImport &op, const NodeWords &words, const std::string &name, size_t nodes_before, ValueId first_new, Scope &scope) {
        bool name_used = false;
        for (size_t k = 0; k < words.outputs.size(); k++) {
            if (words.outputs[k].empty()) continue;
            const ValueId id = op.results()[k];
            if (id == no_value) broken(fmt::format("operator {} has no output {}", op.origin, k), op.origin);
            scope.values[words.outputs[k]] = id;
            if (id < first_new) continue;  // an input, handed through
            const bool first = !name_used;
            draft_.graph.value(id).name = first ? name : draft_.unique(words.outputs[k]);
            name_used = true;
            for (size_t n = nodes_before; first && n < draft_.graph.nodes.size(); n++)
                if (const auto &out = draft_.graph.nodes[n].outputs; std::find(out.begin(), out.end(), id) != out.end()) draft_.graph.nodes[n].name = name;
        }
    }

    void add_unknown(const NodeProto &node, const std::string &why, const std::string &origin, const std::string &name, const NodeWords &words, Scope &scope) {
        Node unknown{.op = "unknown", .name = name, .inputs = {}, .outputs = {}, .attributes = {}, .origin = origin};
        const std::string kind = node.domain().empty() ? node.op_type() : node.domain() + "." + node.op_type();
        unknown.attributes["operator"] = why.empty() ? kind : kind + ": " + why;
        for (ValueId v : words.inputs)
            if (v != no_value) unknown.inputs.push_back(v);
        bool first = true;
        for (const std::string &output : words.outputs) {
            if (output.empty()) continue;
            const ValueId id = draft_.graph.add_value(stated_value(output, first ? name : draft_.unique(output)));
            first = false;
            if (!has_stated_shape(output)) draft_.without_shape.insert(id);
            scope.values[output] = id;
            unknown.outputs.push_back(id);
        }
        draft_.graph.add_node(std::move(unknown));
    }

    bool has_stated_shape(const std::string &name) const {
        const auto it = stated_.find(name);
        return it != stated_.end() && it->second->has_tensor_type() && it->second->tensor_type().has_shape();
    }
    Value stated_value(const std::string &output, const std::string &name) const {
        Value v{.name = name, .type = DataType::f32, .shape = {}, .quantization = {}, .data = nullptr};
        if (!has_stated_shape(output)) return v;
        v = value_from(*stated_.at(output), name);
        return v;
    }

    /// A call of a function that the model defines: its body stands in place of the call.
    bool add_function(const NodeProto &node, const std::vector<ValueId> &in, Scope &scope) {
        const auto it = functions_.find({node.domain(), node.op_type(), node.overload()});
        if (it == functions_.end()) return false;
        const FunctionProto &f = *it->second;
        if (std::ssize(in) > f.input_size() || node.output_size() > f.output_size()) broken(fmt::format("function \"{}\" has fewer inputs or outputs than its call", f.name()));
        Scope body{.opsets = opsets_of(f.opset_import()), .depth = scope.depth + 1};
        for (size_t k = 0; k < in.size(); k++) body.values[f.input(static_cast<int>(k))] = in[k];
        for (int k = static_cast<int>(in.size()); k < f.input_size(); k++) body.values[f.input(k)] = no_value;
        std::map<std::string, AttributeProto> given;
        for (const AttributeProto &a : f.attribute_proto()) given[a.name()] = a;
        for (const AttributeProto &a : node.attribute()) given[a.name()] = a;
        Nodes nodes = f.node();
        for (NodeProto &n : nodes) substitute(n, given);
        add_nodes_of_function(nodes, body);
        for (int k = 0; k < node.output_size(); k++)
            if (!node.output(k).empty()) scope.values[node.output(k)] = written(f.output(k), body);
        return true;
    }

    /// Inputs that the call leaves out are absent in the body too.
    void add_nodes_of_function(Nodes &nodes, Scope &body) {
        for (NodeProto &n : nodes)
            for (std::string &name : *n.mutable_input())
                if (const auto v = body.values.find(name); v != body.values.end() && v->second == no_value) name.clear();
        add_nodes(nodes, body);
    }

    /// A branch that a constant decides stands in place of the choice.
    bool add_branch(const NodeProto &node, const std::vector<ValueId> &in, Scope &scope) {
        if (in.size() != 1 || in[0] == no_value || !draft_.graph.value(in[0]).is_constant()) return false;
        const Value &condition = draft_.graph.value(in[0]);
        if (condition.data->size() != 1) broken("the condition of an If is not one boolean", condition.name);
        const GraphProto *branch = AttributeReader(node, "If").graph((*condition.data)[0] ? "then_branch" : "else_branch");
        if (!branch || branch->output_size() < node.output_size()) broken("an If lacks a branch or its results");
        for (const auto &output : branch->output())
            if (output.has_type() && !output.type().has_tensor_type()) return false;
        Scope inner{.outer = &scope, .opsets = scope.opsets, .depth = scope.depth + 1};
        add_initializers(*branch, inner);
        state_types(*branch);
        add_nodes(branch->node(), inner);
        for (int k = 0; k < node.output_size(); k++)
            if (!node.output(k).empty()) scope.values[node.output(k)] = written(branch->output(k).name(), inner);
        return true;
    }

    ValueId written(const std::string &name, const Scope &scope) const {
        const ValueId v = scope.find(name);
        if (v == no_value) broken(fmt::format("output \"{}\" is never written", name));
        return v;
    }

    /// Outputs of the graph are values of their own: an input, or a value that is an output already, is copied.
    void add_output(const std::string &name, const Scope &scope) {
        ValueId v = written(name, scope);
        Graph &g = draft_.graph;
        const auto taken = [&](const std::vector<ValueId> &list) { return std::find(list.begin(), list.end(), v) != list.end(); };
        if (!draft_.without_shape.contains(v) && (taken(g.inputs) || taken(g.outputs))) v = Composition(draft_, name, "output").make("identity", {v});
        g.outputs.push_back(v);
    }

    void drop_unused() {
        Graph &g = draft_.graph;
        std::vector<bool> needed(g.values.size(), false);
        for (ValueId v : g.outputs) needed[static_cast<size_t>(v)] = true;
        for (auto n = g.nodes.rbegin(); n != g.nodes.rend(); ++n) {
            if (std::none_of(n->outputs.begin(), n->outputs.end(), [&](ValueId v) { return needed[static_cast<size_t>(v)]; })) n->op.clear();
            else
                for (ValueId v : n->inputs)
                    if (v != no_value) needed[static_cast<size_t>(v)] = true;
        }
    }
};

}  // namespace

Graph import_onnx(std::span<const uint8_t> file, const std::string &name, const std::map<std::string, int64_t> &symbols) { return Importer(file, name, symbols).run(); }

}  // namespace emulsion::graph
