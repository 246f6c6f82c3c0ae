// Graphs for tests of the passes.
#pragma once
#include "graph/ir/graph.h"

#include <random>

namespace emulsion::graph {

/// Adds a node and its result, with the type and shape that its operator gives, and returns the result.
ValueId add(Graph &graph, const std::string &op, const std::vector<ValueId> &inputs, const std::map<std::string, Attribute> &attributes = {}, Quantization quantization = {});

ValueId add_input(Graph &graph, const std::string &name, DataType type, const std::vector<int64_t> &extents, Quantization quantization = {});

/// About `nodes` nodes on small float32 and int32 tensors of rank 4: transposes, element-wise functions, neutral constants, reshapes, equal
/// and dead nodes, with one to three outputs.
Graph random_graph(std::mt19937 &random, int nodes);

}  // namespace emulsion::graph
