// Graphs for people: the text form that stands at the head of graph.h, and Graphviz.
#pragma once
#include "graph/ir/graph.h"

#include <string>

namespace emulsion::graph {

/// "u8[1, 112, 112, 32]"
std::string shape_text(const Value &value);
/// With its quantisation: "u8[1, 112, 112, 32] scale 0.023 zero 0".
std::string type_text(const Value &value);

/// One line a value or node. Constants are given by their size.
std::string to_text(const Graph &graph);
/// For `dot -Tsvg`: nodes as boxes with their operator, edges with type and shape.
std::string to_dot(const Graph &graph);

}  // namespace emulsion::graph
