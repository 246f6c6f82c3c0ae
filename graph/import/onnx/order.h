// The order in which nodes of a model can be imported.
#pragma once
#include "graph/import/onnx/tensor.h"

#include <vector>

namespace emulsion::graph::onnx_import {

using Nodes = google::protobuf::RepeatedPtrField<format::NodeProto>;

/// Names that the node reads, those of its subgraphs' free names included.
std::vector<std::string> names_read(const format::NodeProto &node);

/// Indices of all nodes, each after those whose results it reads; models in order stay as they are. Raises EM701 where two nodes write
/// one name, EM703 on a cycle.
std::vector<int> import_order(const Nodes &nodes);

}  // namespace emulsion::graph::onnx_import
