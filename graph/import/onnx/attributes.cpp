#include "graph/import/onnx/attributes.h"

#include "runtime/diag/diag.h"

namespace emulsion::graph::onnx_import {

using format::AttributeProto;

const AttributeProto *AttributeReader::find(std::string_view name) const {
    for (const AttributeProto &a : node_.attribute())
        if (a.name() == name) return &a;
    return nullptr;
}

const AttributeProto *AttributeReader::find(std::string_view name, AttributeProto::AttributeType type) const {
    const AttributeProto *a = find(name);
    if (a && (a->type() != type || !a->ref_attr_name().empty())) raise(Diag::graph_attribute, {.stage = "onnx", .node = origin_}, name, node_.op_type());
    return a;
}

int64_t AttributeReader::integer(std::string_view name, int64_t otherwise) const {
    const AttributeProto *a = find(name, AttributeProto::INT);
    return a ? a->i() : otherwise;
}

double AttributeReader::real(std::string_view name, double otherwise) const {
    const AttributeProto *a = find(name, AttributeProto::FLOAT);
    return a ? static_cast<double>(a->f()) : otherwise;
}

std::string AttributeReader::text(std::string_view name, const std::string &otherwise) const {
    const AttributeProto *a = find(name, AttributeProto::STRING);
    return a ? a->s() : otherwise;
}

std::vector<int64_t> AttributeReader::integers(std::string_view name, const std::vector<int64_t> &otherwise) const {
    const AttributeProto *a = find(name, AttributeProto::INTS);
    return a ? std::vector<int64_t>(a->ints().begin(), a->ints().end()) : otherwise;
}

std::vector<double> AttributeReader::reals(std::string_view name) const {
    const AttributeProto *a = find(name, AttributeProto::FLOATS);
    return a ? std::vector<double>(a->floats().begin(), a->floats().end()) : std::vector<double>{};
}

const format::TensorProto *AttributeReader::tensor(std::string_view name) const {
    const AttributeProto *a = find(name, AttributeProto::TENSOR);
    return a ? &a->t() : nullptr;
}

const format::GraphProto *AttributeReader::graph(std::string_view name) const {
    const AttributeProto *a = find(name, AttributeProto::GRAPH);
    return a ? &a->g() : nullptr;
}

}  // namespace emulsion::graph::onnx_import
