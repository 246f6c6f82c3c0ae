// NumPy broadcasting: the result's shape, and operands brought to as few dimensions as possible.
#pragma once
#include "graph/ops/operands.h"

#include <vector>

namespace emulsion::graph {

/// The shape that all of `shapes` broadcast to. A symbol against another extent than itself and 1 takes that extent. Raises EM707.
Shape broadcast_shape(const Node &node, const std::vector<Shape> &shapes);

/// Operands of an element-wise kernel. Dimensions of extent 1 are gone; neighbours along which the same operands are broadcast
/// are one dimension.
///   a[2, 3, 1, 5], b[3, 7, 5]   ->   extents {5, 7, 3, 2}; a {5, 1, 3, 2} broadcast 0b0010, b {5, 7, 3, 1} broadcast 0b1000
///   a[2, 3, 4],    b[2, 3, 4]   ->   extents {24}
struct MergedOperands {
    std::vector<int> extents;                ///< of the result, innermost first
    std::vector<std::vector<int>> operands;  ///< of each operand
    std::vector<int> broadcast;              ///< of each operand: bit d set where it has extent 1 and the result has not
    int rank() const { return static_cast<int>(extents.size()); }
};

/// result, operands: outermost first. Raises EM710 when more than 6 dimensions remain.
MergedOperands merge_operands(const Node &node, const std::vector<int64_t> &result, const std::vector<std::vector<int64_t>> &operands);
/// The first `count` inputs of the node against its output.
MergedOperands merge_operands(const Graph &graph, const Node &node, size_t count);

}  // namespace emulsion::graph
