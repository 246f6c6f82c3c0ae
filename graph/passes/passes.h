// The passes over graphs, each in a file of its own name. Each returns whether it changed anything, keeps every bit of every output,
// and leaves a graph that verify_graph accepts.
#pragma once
#include "graph/ir/graph.h"

namespace emulsion::graph {

bool fold_constants(Graph &graph);
bool simplify(Graph &graph);
bool move_transposes(Graph &graph);
bool merge_equal_nodes(Graph &graph);
bool remove_dead_nodes(Graph &graph);

}  // namespace emulsion::graph
