// One backend node test of the onnx package: a model, and sets of inputs with their outputs.
#pragma once
#include "onnx/onnx.pb.h"

#include <filesystem>
#include <string>
#include <vector>

namespace emulsion::graph {

struct NodeCase {
    std::string name;
    onnx::ModelProto model;
    struct Data {
        std::vector<onnx::TensorProto> inputs, outputs;
    };
    std::vector<Data> data;
    std::string unreadable;  ///< inputs or outputs that are no tensors
};

NodeCase read_case(const std::filesystem::path &folder);

/// The case's operator: that of its last node; of its folder's name for operators written out as functions.
std::string operator_of(const NodeCase &c);
bool is_function_form(const NodeCase &c);
/// Its results are random numbers.
bool is_random(const NodeCase &c);

/// The model with these inputs as constants.
std::string with_constants(const NodeCase &c, const NodeCase::Data &data, const std::vector<bool> &constant);

}  // namespace emulsion::graph
