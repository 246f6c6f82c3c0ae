// The operator table: rows of operators.def with their rules.
#pragma once
#include "graph/ir/graph.h"
#include "graph/kernel/kernel_call.h"

#include <string_view>
#include <vector>

namespace emulsion::graph {

struct OperatorInfo {
    std::string_view name, inputs, outputs, attributes, says;
    /// Sets type and shape of the node's outputs from its inputs and attributes (and quantisation where it must equal the input's).
    /// Raises EM707 when they do not go together.
    void (*infer)(Graph &, const Node &);
    /// The algorithm: the generator calls that compute the node, in order; several calls write disjoint parts of the outputs. None: no
    /// work, the output lies where the input does (reshape). Raises EM710 (place: the node) for what no generator computes.
    std::vector<KernelCall> (*lower)(const Graph &, const Node &);
};

/// Every operator, in file order.
const std::vector<OperatorInfo> &operator_table();
/// Null for an unknown name.
const OperatorInfo *find_operator(std::string_view name);

}  // namespace emulsion::graph
