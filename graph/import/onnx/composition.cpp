#include "graph/import/onnx/composition.h"

#include "graph/import/onnx/fold.h"
#include "graph/ir/operator_table.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {

std::string Draft::unique(const std::string &wanted) {
    int &asked = names[wanted];
    std::string candidate = wanted;
    while (asked++ > 0) {
        candidate = fmt::format("{}_{}", wanted, asked - 1);
        if (names.try_emplace(candidate, 1).second) break;
    }
    return candidate;
}

int64_t Composition::axis(int64_t axis, int64_t rank) const {
    const int64_t a = axis < 0 ? axis + rank : axis;
    if (a < 0 || a >= rank) refuse(fmt::format("axis {} of {} dimensions", axis, rank));
    return a;
}

Ints Composition::axes(Ints axes, int64_t rank) const {
    for (int64_t &a : axes) a = axis(a, rank);
    std::sort(axes.begin(), axes.end());
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) refuse("an axis is named twice");
    return axes;
}

ValueId Composition::add_result(const std::string &node_name, DataType type, Quantization quantization) {
    return graph.add_value({.name = node_name, .type = type, .shape = {}, .quantization = std::move(quantization), .data = nullptr});
}

void Composition::check_results(const Node &node) const {
    for (ValueId id : node.outputs) {
        Ints known;
        for (const Dimension &d : value(id).shape)
            if (d.is_static()) known.push_back(d.extent);
        checked_elements(known, node.name);
    }
}

/// Computes the node when its inputs are constants and the budget allows.
bool Composition::computed(const Node &node) {
    for (ValueId id : node.inputs)
        if (id == no_value || !is_constant(id)) return false;
    int64_t work = 0;
    const bool shares_bytes = node.op == "reshape" || node.op == "identity";
    for (const auto *list : {&node.inputs, &node.outputs})
        for (ValueId id : *list) work += shares_bytes ? 0 : elements(id);
    if (work > draft.fold_budget) return false;
    const auto bytes = fold(graph, node);
    if (!bytes) return false;
    draft.fold_budget -= work;
    for (size_t k = 0; k < bytes->size(); k++) graph.value(node.outputs[k]).data = (*bytes)[k];
    return true;
}

ValueId Composition::make(const std::string &op, std::vector<ValueId> in, Attributes attributes, std::optional<DataType> type, Quantization quantization) {
    for (ValueId v : in)
        if (v != no_value && draft.without_shape.contains(v)) unsupported("an input has no known shape");
    const std::string node_name = draft.unique(name + "." + op);
    const ValueId result = add_result(node_name, type.value_or(DataType::f32), std::move(quantization));
    const Node node{.op = op, .name = node_name, .inputs = std::move(in), .outputs = {result}, .attributes = std::move(attributes), .origin = origin};
    find_operator(op)->infer(graph, node);
    check_results(node);
    if (!computed(node)) graph.add_node(node);
    return result;
}

std::vector<ValueId> Composition::make_many(const std::string &op, std::vector<ValueId> in, size_t outputs, Attributes attributes) {
    for (ValueId v : in)
        if (draft.without_shape.contains(v)) unsupported("an input has no known shape");
    const std::string node_name = draft.unique(name + "." + op);
    Node node{.op = op, .name = node_name, .inputs = std::move(in), .outputs = {}, .attributes = std::move(attributes), .origin = origin};
    for (size_t k = 0; k < outputs; k++) node.outputs.push_back(add_result(fmt::format("{}.{}", node_name, k), DataType::f32, {}));
    find_operator(op)->infer(graph, node);
    check_results(node);
    return graph.nodes[graph.add_node(std::move(node))].outputs;
}

ValueId Composition::constant(DataType type, const Ints &extents, const Ints &numbers) { return graph.add_constant(draft.unique(name + ".constant"), type, extents, stored(type, numbers)); }
ValueId Composition::constant(DataType type, const Ints &extents, const std::vector<double> &numbers) {
    return graph.add_constant(draft.unique(name + ".constant"), type, extents, stored(type, numbers));
}

ValueId Composition::like(ValueId v, double number) {
    if (is_float(v)) return constant(type(v), {}, std::vector<double>{number});
    return constant(type(v), {}, Ints{static_cast<int64_t>(number)});
}

ValueId Composition::unary(const std::string &function, ValueId a, Attributes parameters) {
    parameters["function"] = function;
    return make("unary", {a}, std::move(parameters));
}

ValueId Composition::reduce(const std::string &function, ValueId a, const Ints &axes, bool keep) {
    return make("reduce", {a}, {{"function", function}, {"axes", axes}, {"keep_dimensions", int64_t{keep}}});
}

ValueId Composition::cast(ValueId a, DataType to) { return type(a) == to ? a : make("cast", {a}, {}, to); }

ValueId Composition::reshape(ValueId v, const Ints &shape) {
    if (value(v).shape == make_shape(shape)) return v;
    Ints known;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(known), [](int64_t e) { return e != -1; });
    checked_elements(known, name);
    return make("reshape", {v}, {{"shape", shape}});
}

ValueId Composition::transpose(ValueId v, const Ints &permutation) {
    if (std::is_sorted(permutation.begin(), permutation.end())) return v;
    return make("transpose", {v}, {{"permutation", permutation}});
}

ValueId Composition::broadcast(ValueId v, const Ints &shape) {
    if (value(v).shape == make_shape(shape)) return v;
    checked_elements(shape, name);
    return make("broadcast_to", {v}, {{"shape", shape}});
}

ValueId Composition::slice(ValueId v, const Ints &begin, const Ints &end, const Ints &step) {
    return make("slice", {v}, {{"begin", begin}, {"end", end}, {"step", step.empty() ? Ints(begin.size(), 1) : step}});
}

ValueId Composition::part(ValueId v, int64_t axis, int64_t begin, int64_t end) {
    Ints from(static_cast<size_t>(rank(v)), 0), to = extents(v);
    if (begin == 0 && end == to.at(static_cast<size_t>(axis))) return v;
    from[static_cast<size_t>(axis)] = begin;
    to[static_cast<size_t>(axis)] = end;
    return slice(v, from, to);
}

ValueId Composition::concat(const std::vector<ValueId> &parts, int64_t axis) {
    if (parts.empty()) refuse("it has no inputs");
    return parts.size() == 1 ? parts[0] : make("concat", parts, {{"axis", axis}});
}

ValueId Composition::along_last(const std::string &op, ValueId v, int64_t axis) {
    const int64_t last = rank(v) - 1;
    if (axis == last) return make(op, {v}, {{"axis", int64_t{-1}}});
    Ints turn;
    for (int64_t d = 0; d <= last; d++) turn.push_back(d);
    std::swap(turn[static_cast<size_t>(axis)], turn[static_cast<size_t>(last)]);
    return transpose(make(op, {transpose(v, turn)}, {{"axis", int64_t{-1}}}), turn);
}

ValueId Composition::restate(ValueId v, const Quantization &quantization) {
    const Value &from = value(v);
    if (from.quantization == quantization) return v;
    if (from.is_constant()) {
        Value same = from;
        same.name = draft.unique(from.name + ".restated");
        same.quantization = quantization;
        return graph.add_value(std::move(same));
    }
    return make("cast", {v}, {}, from.type, quantization);
}

double Composition::real(ValueId v) const {
    const std::vector<double> all = reals(v);
    if (all.size() != 1) refuse(fmt::format("\"{}\" is not one number", value(v).name));
    return all[0];
}

int64_t Composition::integer(ValueId v) const {
    const Ints all = numbers(v);
    if (all.size() != 1) refuse(fmt::format("\"{}\" is not one number", value(v).name));
    return all[0];
}

void Composition::refuse(const std::string &why) const { broken(fmt::format("operator {}: {}", origin, why), origin); }

void Composition::unsupported(const std::string &what) const { raise(Diag::operator_unsupported, {.stage = "onnx", .node = origin}, origin, what, "docs/operators.md lists what has a meaning"); }

}  // namespace emulsion::graph::onnx_import
