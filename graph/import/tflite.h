// TFLite models (FlatBuffers, schema version 3) as graphs.
#pragma once
#include "graph/ir/graph.h"

#include <span>
#include <string>

namespace emulsion::graph {

/// The first subgraph of the model. Constants that the file lists as inputs are constants. Operators without a row become `unknown` nodes.
/// Trusts nothing: raises EM701 for a broken file, EM702 for sizes beyond the limits, EM703 for a cycle, EM705 where an operator needs a
/// constant, EM720 for types without a meaning here.
Graph import_tflite(std::span<const uint8_t> file, const std::string &name);

}  // namespace emulsion::graph
