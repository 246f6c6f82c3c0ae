// Small TFLite models for tests, built by FlatBuffers.
#pragma once
#include "graph/ir/graph.h"

#include <string>
#include <variant>
#include <vector>

namespace emulsion::graph {

/// One field of an operator's options: its number in the format's schema, and the value with the field's type.
struct OptionField {
    int number;
    std::variant<int8_t, int32_t, float, bool> value;
};

struct TensorSpec {
    std::string name;
    int type = 9;  ///< TensorType of the format; 9 is int8, 0 float32, 2 int32
    std::vector<int32_t> shape;
    std::vector<float> scale;
    std::vector<int64_t> zero_point;
    std::vector<uint8_t> data;  ///< empty: no constant
    int quantized_dimension = 0;
};

struct OperatorSpec {
    int code;  ///< BuiltinOperator of the format
    std::vector<int32_t> inputs, outputs;
    std::vector<OptionField> options;
    std::string custom;
};

/// A model as data: tests change a field and serialise.
struct ModelSpec {
    std::vector<TensorSpec> tensors;
    std::vector<OperatorSpec> operators;
    std::vector<int32_t> inputs, outputs;
    std::string bytes() const;
};

/// int8: convolution 3x3 with relu6, depthwise, pool, reshape, fully connected, softmax.
ModelSpec convolution_spec();
/// float32: residual add, concat, pad, transpose, mean.
ModelSpec movement_spec();

Graph import_bytes(const std::string &bytes);

}  // namespace emulsion::graph
