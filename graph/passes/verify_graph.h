// What every graph keeps to, checked after import and between passes.
#pragma once
#include "graph/ir/graph.h"

namespace emulsion::graph {

/// Raises EM708 (place: node or value) when an id is out of range, a name is empty or taken twice, a value is computed twice, read before
/// it is computed or never, a constant has the wrong number of bytes, a scale is not a positive number or their count does not fit the
/// axis, a node has too few or too many inputs, an attribute is not in the operator table, or an output's type or shape is not what the
/// operator's rule says; EM709 for an operator that the table lacks.
void verify_graph(const Graph &graph);

}  // namespace emulsion::graph
