// Nodes of the graph as expressions: each call adds a node, with shape and type inferred, or computes it when its inputs are constants.
#pragma once
#include "graph/import/onnx/tensor.h"

#include <optional>
#include <set>

namespace emulsion::graph::onnx_import {

using Ints = std::vector<int64_t>;
using Attributes = std::map<std::string, Attribute>;

/// The graph under construction, and what the importer knows beside it.
struct Draft {
    Graph graph;
    std::map<std::string, int> names;        ///< of nodes and values; for each how often it was asked for
    std::set<ValueId> without_shape;         ///< results of unknown operators whose shape the model does not state
    int64_t fold_budget = int64_t{1} << 22;  ///< elements that may still be computed at import; then nodes stay nodes
    int64_t node_budget = int64_t{1} << 18;  ///< nodes of the model that may still be imported

    /// `wanted`, or `wanted` with a number when it is taken.
    std::string unique(const std::string &wanted);
};

class Composition {
public:
    /// Nodes are called "<name>.<number>"; `origin` goes into each.
    Composition(Draft &draft, std::string name, std::string origin) : graph(draft.graph), draft(draft), name(std::move(name)), origin(std::move(origin)) {}

    Graph &graph;
    Draft &draft;
    const std::string name, origin;

    const Value &value(ValueId v) const { return graph.value(v); }
    DataType type(ValueId v) const { return value(v).type; }
    bool is_float(ValueId v) const { return info(type(v)).is_float; }
    bool is_constant(ValueId v) const { return value(v).is_constant(); }
    int64_t rank(ValueId v) const { return std::ssize(value(v).shape); }
    /// Raises EM704 for a symbol.
    Ints extents(ValueId v) const { return extents_of(value(v).shape, value(v).name); }
    int64_t extent(ValueId v, int64_t d) const { return extents(v).at(static_cast<size_t>(d)); }
    int64_t elements(ValueId v) const { return element_count(extents(v)); }
    /// 0 .. rank - 1; raises EM701 for one out of range.
    int64_t axis(int64_t axis, int64_t rank) const;
    std::vector<int64_t> axes(Ints axes, int64_t rank) const;  ///< sorted; raises EM701 for one twice

    /// One node. `type`, `quantization`: of results whose operator leaves them open. Raises what the operator's shape rule raises, and
    /// EM702 for results beyond the limits.
    ValueId make(const std::string &op, std::vector<ValueId> in, Attributes attributes = {}, std::optional<DataType> type = {}, Quantization quantization = {});
    std::vector<ValueId> make_many(const std::string &op, std::vector<ValueId> in, size_t outputs, Attributes attributes);

    ValueId constant(DataType type, const Ints &extents, const Ints &numbers);
    ValueId constant(DataType type, const Ints &extents, const std::vector<double> &numbers);
    /// One number of v's type, of rank 0.
    ValueId like(ValueId v, double number);
    ValueId integers(const Ints &numbers) { return constant(DataType::i64, {std::ssize(numbers)}, numbers); }

    ValueId add(ValueId a, ValueId b) { return make("add", {a, b}); }
    ValueId sub(ValueId a, ValueId b) { return make("sub", {a, b}); }
    ValueId mul(ValueId a, ValueId b) { return make("mul", {a, b}); }
    ValueId div(ValueId a, ValueId b) { return make("div", {a, b}); }
    ValueId minimum(ValueId a, ValueId b) { return make("minimum", {a, b}); }
    ValueId maximum(ValueId a, ValueId b) { return make("maximum", {a, b}); }
    ValueId where(ValueId condition, ValueId a, ValueId b) { return make("select", {condition, a, b}); }
    ValueId compare(const std::string &function, ValueId a, ValueId b) { return make("compare", {a, b}, {{"function", function}}); }
    ValueId bitwise(const std::string &function, ValueId a, ValueId b) { return make("bitwise", {a, b}, {{"function", function}}); }
    ValueId unary(const std::string &function, ValueId a, Attributes parameters = {});
    ValueId reduce(const std::string &function, ValueId a, const Ints &axes, bool keep);
    ValueId cast(ValueId a, DataType type);
    /// Shapes of more than one -1 are refused; v itself where it has the shape already.
    ValueId reshape(ValueId v, const Ints &shape);
    ValueId transpose(ValueId v, const Ints &permutation);
    ValueId broadcast(ValueId v, const Ints &shape);
    ValueId slice(ValueId v, const Ints &begin, const Ints &end, const Ints &step = {});
    /// Elements [begin, end) of one dimension.
    ValueId part(ValueId v, int64_t axis, int64_t begin, int64_t end);
    ValueId concat(const std::vector<ValueId> &parts, int64_t axis);
    ValueId gather(ValueId v, ValueId indices, int64_t axis) { return make("gather", {v, indices}, {{"axis", axis}}); }
    ValueId matmul(ValueId a, ValueId b) { return make("matmul", {a, b}); }
    /// softmax or log_softmax along any axis: turned so that it is the last one, and back.
    ValueId along_last(const std::string &op, ValueId v, int64_t axis);
    /// The same numbers said to be of another quantisation; empty: none.
    ValueId restate(ValueId v, const Quantization &quantization);
    ValueId without_quantization(ValueId v) { return restate(v, {}); }

    /// Elements of a constant; raises EM705 for another.
    Ints numbers(ValueId v) const { return constant_integers(value(v)); }
    std::vector<double> reals(ValueId v) const { return constant_reals(value(v)); }
    /// The one element of a constant; raises EM701 for several.
    double real(ValueId v) const;
    int64_t integer(ValueId v) const;

    [[noreturn]] void refuse(const std::string &why) const;       ///< EM701
    [[noreturn]] void unsupported(const std::string &what) const;  ///< the importer turns it into an unknown node

private:
    ValueId add_result(const std::string &node_name, DataType type, Quantization quantization);
    void check_results(const Node &node) const;
    bool computed(const Node &node);
};

}  // namespace emulsion::graph::onnx_import
