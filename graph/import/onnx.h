// ONNX models (opset 13 on) as graphs.
#pragma once
#include "graph/ir/graph.h"

#include <map>
#include <span>
#include <string>

namespace emulsion::graph {

/// The model's main graph; its functions and constant branches are inlined, and what constants alone decide is computed at once.
/// Images are N C H W in ONNX: spatial operators stand between transposes. Symbolic extents keep their names. Operators without a meaning
/// here, and operators after those, become `unknown` nodes.
/// Trusts nothing: raises EM701 for a broken file, EM702 for sizes beyond the limits, EM703 for a cycle, EM704 and EM705 where an operator
/// needs a number or a constant, EM706 and EM707 for attributes and shapes that do not fit, EM721 for element types and EM722 for data
/// outside the file.
/// `symbols`: extents of symbolic dimensions that are known already.
Graph import_onnx(std::span<const uint8_t> file, const std::string &name, const std::map<std::string, int64_t> &symbols = {});

}  // namespace emulsion::graph
