// The import of one operator, and the table of those that are known.
#pragma once
#include "graph/import/tflite/options.h"
#include "graph/ir/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace emulsion::graph::tflite {

class OperatorImport {
public:
    OperatorImport(Graph &graph, std::string name, std::string origin, std::vector<ValueId> in, std::vector<ValueId> out, OptionReader reader)
        : graph(graph), inputs(std::move(in)), outputs(std::move(out)), options(reader), name_(std::move(name)), origin_(std::move(origin)) {}

    Graph &graph;
    std::vector<ValueId> inputs, outputs;  ///< inputs: no_value for absent ones
    OptionReader options;

    /// Adds a node with all outputs. Operators made of several nodes name all but the last "<name>.<suffix>".
    Node &add(const std::string &op, std::vector<ValueId> in, std::map<std::string, Attribute> attributes = {});
    /// A node whose result only this operator uses: type and shape as given, no quantisation unless `like` has one.
    ValueId add_step(const std::string &suffix, const std::string &op, std::vector<ValueId> in, const Value &like, std::map<std::string, Attribute> attributes = {});

    // Raise EM701 when the operator has no such input or output.
    ValueId input(size_t k) const;
    bool has_input(size_t k) const { return k < inputs.size() && inputs[k] != no_value; }
    Value &in(size_t k) { return graph.value(input(k)); }
    Value &out(size_t k = 0);
    std::vector<int64_t> in_extents(size_t k) { return extents_of(in(k).shape, in(k).name); }
    std::vector<int64_t> out_extents(size_t k = 0) { return extents_of(out(k).shape, out(k).name); }
    int64_t rank(size_t k) { return static_cast<int64_t>(in(k).shape.size()); }
    /// Elements of constant input k; raises EM705.
    std::vector<int64_t> constants(size_t k) { return constant_integers(in(k)); }
    /// `axis` of input k as 0 .. rank - 1; raises EM701 for one out of range.
    int64_t axis(int64_t axis, int64_t rank) const;

    /// The fused activation with the format's number.
    std::string activation(int64_t number) const;
    [[noreturn]] void broken(const std::string &why) const;

private:
    std::string name_, origin_;
};

struct OperatorRow {
    int code;  ///< BuiltinOperator of the format
    std::string_view name;
    void (*import)(OperatorImport &);
};

/// The row of a builtin code, or null.
const OperatorRow *find_row(int code);

// The rows by family.
std::vector<OperatorRow> compute_rows();
std::vector<OperatorRow> elementwise_rows();
std::vector<OperatorRow> movement_rows();

}  // namespace emulsion::graph::tflite
