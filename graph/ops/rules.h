// The rules of every operator of the table: infer_NAME and lower_NAME, declared from the table itself. Defined by family in
// graph/ops/*.cpp.
#pragma once
#include "graph/ir/graph.h"
#include "graph/kernel/kernel_call.h"

namespace emulsion::graph {

#define OPERATOR(name, inputs, outputs, attributes, says) \
    void infer_##name(Graph &graph, const Node &node);    \
    std::vector<KernelCall> lower_##name(const Graph &graph, const Node &node);
#include "graph/ir/operators.def"
#undef OPERATOR

}  // namespace emulsion::graph
