// A call of generator pad on tensors of any rank.
#pragma once
#include "graph/ops/operands.h"

namespace emulsion::graph {

/// All vectors outermost first. out(i) = in(i - before) inside `in`, else by mode; a negative `before` crops.
struct PadCall {
    std::vector<int64_t> in, out, before;
    int64_t in_offset = 0, out_offset = 0;
    std::vector<int64_t> in_strides{};  ///< empty: dense
    std::string mode = "constant";
    double value = 0;  ///< real number; quantised tensors store its nearest integer
};

/// From the node's input 0 to its output 0. Raises EM710 when more than 6 dimensions remain after merging those without padding.
KernelCall pad_call(const Graph &graph, const Node &node, const PadCall &p);

}  // namespace emulsion::graph
