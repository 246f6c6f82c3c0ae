// Small ONNX models for tests, built by protobuf.
#pragma once
#include "graph/ir/graph.h"
#include "onnx/onnx.pb.h"

#include <string>
#include <vector>

namespace emulsion::graph {

class ModelBuilder {
public:
    explicit ModelBuilder(int64_t opset = 17);

    onnx::ModelProto model;
    onnx::GraphProto &graph() { return *model.mutable_graph(); }

    /// Extents below 0 are the symbol "N".
    ModelBuilder &input(const std::string &name, onnx::TensorProto::DataType type, const std::vector<int64_t> &extents);
    ModelBuilder &output(const std::string &name, onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT);
    ModelBuilder &floats(const std::string &name, const std::vector<int64_t> &extents, float value = 0.5f);
    ModelBuilder &integers(const std::string &name, const std::vector<int64_t> &numbers);
    ModelBuilder &scalar(const std::string &name, onnx::TensorProto::DataType type, int32_t number);
    onnx::NodeProto &node(const std::string &op, const std::vector<std::string> &in, const std::vector<std::string> &out);

    std::string bytes() const { return model.SerializeAsString(); }
    Graph import() const;
};

void add(onnx::NodeProto &node, const std::string &attribute, int64_t value);
void add(onnx::NodeProto &node, const std::string &attribute, const std::vector<int64_t> &values);

Graph import_bytes(const std::string &bytes);

/// A convolution with its activation, a pool, a reshape whose shape is computed, and a matrix product.
ModelBuilder convolution_model();
/// The same kinds of operators on quantised integers.
ModelBuilder quantized_model();
/// Branch, function, symbolic batch.
ModelBuilder structured_model();

}  // namespace emulsion::graph
