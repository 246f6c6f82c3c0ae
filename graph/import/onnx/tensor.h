// Tensors and types of the format as values of the graph.
#pragma once
#include "graph/ir/graph.h"
#include "onnx/onnx.pb.h"

namespace emulsion::graph::onnx_import {

namespace format = ::onnx;

// Limits of what a model may ask for; real models stay far below.
inline constexpr int64_t most_elements = int64_t{1} << 31;  ///< of one value
inline constexpr int64_t most_dimensions = 16;

[[noreturn]] void broken(const std::string &why, const std::string &node = "");

/// Element type with the format's number. Raises EM721 (`name`: the value's) for types without a meaning here.
DataType data_type(int32_t number, const std::string &name);
/// The format's number of a type.
int32_t type_number(DataType type);

/// Number of elements; raises EM701 for a negative extent, EM702 beyond the limits.
int64_t checked_elements(const std::vector<int64_t> &extents, const std::string &name);

/// A constant. Raises EM701 where data and shape differ, EM702, EM721, and EM722 for data in another file.
Value constant_from(const format::TensorProto &tensor, const std::string &name);

/// Type and shape that the model states for a value; extents without number or name become the symbol "<name>.<dimension>".
Value value_from(const format::TypeProto &type, const std::string &name);

}  // namespace emulsion::graph::onnx_import
