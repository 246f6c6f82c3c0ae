// Data movement as strided copies: every dimension of the result with its step in the source and in the destination.
#pragma once
#include "graph/ops/operands.h"

namespace emulsion::graph {

struct CopyDimension {
    int64_t extent = 1;
    int64_t from = 0, to = 0;  ///< elements between neighbours in source and destination; from 0: repeated
};

/// destination[to_offset + sum i*to] = source[from_offset + sum i*from] for all i; elements of one type.
struct Copy {
    ValueId source = no_value, destination = no_value;
    int64_t from_offset = 0, to_offset = 0;
    std::vector<CopyDimension> dimensions;  ///< any order
};

/// Elements between neighbours of a dense tensor; outermost first, as `extents`.
std::vector<int64_t> dense_strides(const std::vector<int64_t> &extents);

/// Dimensions by their step in the destination, those of extent 1 dropped, neighbours that are one run on both sides merged.
std::vector<CopyDimension> merge(std::vector<CopyDimension> dimensions);

/// The copy moves nothing: source and destination are the same run from their first elements on.
bool is_identity(const Copy &copy);

/// One call of generator copy, or of transpose where the source's innermost dimension is not the destination's. Raises EM710
/// when more than 6 dimensions remain.
KernelCall copy_call(const Graph &graph, const Node &node, const Copy &copy);

}  // namespace emulsion::graph
