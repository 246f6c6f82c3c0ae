// Model files of any form as graphs.
#pragma once
#include "graph/ir/graph.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emulsion::graph {

/// Endings of file names that name a model: .tflite .onnx .graph (the text form).
bool is_model_name(std::string_view path);

/// The form goes by the ending. `symbols`: extents of symbolic dimensions, for forms whose shapes are worked out while reading. Raises EM7xx for broken files, EM774 for another ending.
Graph load_graph(std::span<const uint8_t> bytes, const std::string &path, const std::map<std::string, int64_t> &symbols = {});

}  // namespace emulsion::graph
