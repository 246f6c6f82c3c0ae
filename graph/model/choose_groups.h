// Which nodes become one kernel: chains around an anchor that the timing model says are worth it.
//
//   before   conv2d   add   relu   conv2d        after   [conv2d add]   …
#pragma once
#include "graph/model/model.h"

#include <functional>

namespace emulsion::graph {

/// A chain of nodes, each the only reader of the one before; nodes[anchor] owns the loops.
struct Chain {
    std::vector<NodeId> nodes;
    size_t anchor = 0;
};

/// All chains [producer] anchor epilogue* that could be groups, longest first for each anchor.
std::vector<std::vector<Chain>> candidate_chains(const Graph &graph);

}  // namespace emulsion::graph
