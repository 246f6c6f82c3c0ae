// From nodes to kernels: what each node, or fused group of nodes, asks the backend to compile.
#pragma once
#include "graph/model/model.h"

#include <optional>
#include <vector>

namespace emulsion::graph {

/// The kernels of one node; none: the output lies where the input does. `unit` is not decided yet. Raises EM709, EM710.
std::vector<Kernel> node_kernels(const Graph &graph, NodeId node);

/// The stitched kernel of a chain of nodes, each reading the one before; nodes[anchor] owns the loops. Nothing when a node needs several
/// kernels, or another layout than the anchor's.
std::optional<Kernel> group_kernel(const Graph &graph, const std::vector<NodeId> &nodes, size_t anchor);

}  // namespace emulsion::graph
