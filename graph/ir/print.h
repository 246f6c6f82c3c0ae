// Graphs for people: the text form that stands at the head of graph.h, and Graphviz.
#pragma once
#include "graph/ir/graph.h"

#include <string>

namespace emulsion::graph {

/// One line a value or node. Constants are given by their size.
std::string to_text(const Graph &graph);
/// For `dot -Tsvg`: nodes as boxes with their operator, edges with type and shape.
std::string to_dot(const Graph &graph);

}  // namespace emulsion::graph
