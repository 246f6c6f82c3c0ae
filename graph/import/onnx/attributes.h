// Attributes of one node by name, with the kind checked.
#pragma once
#include "graph/import/onnx/tensor.h"

#include <string>
#include <string_view>
#include <vector>

namespace emulsion::graph::onnx_import {

class AttributeReader {
public:
    /// `origin` names the operator in messages.
    AttributeReader(const format::NodeProto &node, std::string origin) : node_(node), origin_(std::move(origin)) {}

    bool has(std::string_view name) const { return find(name) != nullptr; }
    // The attribute, or `otherwise` when absent. Raise EM706 for one of another kind.
    int64_t integer(std::string_view name, int64_t otherwise = 0) const;
    double real(std::string_view name, double otherwise = 0) const;
    std::string text(std::string_view name, const std::string &otherwise = "") const;
    std::vector<int64_t> integers(std::string_view name, const std::vector<int64_t> &otherwise = {}) const;
    std::vector<double> reals(std::string_view name) const;
    /// Null when absent.
    const format::TensorProto *tensor(std::string_view name) const;
    const format::GraphProto *graph(std::string_view name) const;

private:
    const format::NodeProto &node_;
    std::string origin_;

    const format::AttributeProto *find(std::string_view name) const;
    const format::AttributeProto *find(std::string_view name, format::AttributeProto::AttributeType type) const;
};

}  // namespace emulsion::graph::onnx_import
