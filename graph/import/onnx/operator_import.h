// The import of one operator, and the table of those that are known.
#pragma once
#include "graph/import/onnx/attributes.h"
#include "graph/import/onnx/composition.h"

#include <functional>
#include <string_view>

namespace emulsion::graph::onnx_import {

/// What the node of the model says; ids instead of names.
struct NodeWords {
    std::string kind;               ///< operator type
    int64_t opset = 0;              ///< of the operator's domain
    std::vector<ValueId> inputs;    ///< no_value: absent
    std::vector<std::string> outputs;  ///< "": not wanted
};

class OperatorImport : public Composition {
public:
    OperatorImport(Draft &draft, std::string name, std::string origin, NodeWords words, AttributeReader reader)
        : Composition(draft, std::move(name), std::move(origin)), kind(words.kind), opset(words.opset), attributes(std::move(reader)), words_(std::move(words)), results_(words_.outputs.size(), no_value) {}

    const std::string kind;
    const int64_t opset;
    const AttributeReader attributes;

    size_t input_count() const { return words_.inputs.size(); }
    bool has(size_t k) const { return k < words_.inputs.size() && words_.inputs[k] != no_value; }
    /// Input k as it is. Raises EM701 when it is absent.
    ValueId raw(size_t k) const;
    /// Input k as numbers: what its quantisation says does not count.
    ValueId in(size_t k) { return without_quantization(raw(k)); }
    ValueId optional_in(size_t k) { return has(k) ? in(k) : no_value; }
    std::vector<ValueId> all_inputs();
    /// Elements of constant input k, or `otherwise` when it is absent.
    Ints numbers_in(size_t k, const Ints &otherwise = {}) { return has(k) ? numbers(raw(k)) : otherwise; }
    /// Older opsets have as attribute `name` what newer ones have as input k.
    Ints numbers_or(size_t k, std::string_view attribute) { return has(k) ? numbers(raw(k)) : attributes.integers(attribute); }

    size_t output_count() const { return words_.outputs.size(); }
    bool wants(size_t k) const { return k < words_.outputs.size() && !words_.outputs[k].empty(); }
    /// Output k is `v`.
    void result(size_t k, ValueId v);
    void result(ValueId v) { result(0, v); }
    const std::vector<ValueId> &results() const { return results_; }

private:
    NodeWords words_;
    std::vector<ValueId> results_;
};

struct OperatorRow {
    std::string_view name;
    void (*import)(OperatorImport &);
};

/// The row of an operator of a domain ("" or "com.microsoft"), or null.
const OperatorRow *find_row(std::string_view domain, std::string_view name);

// The rows by family.
std::vector<OperatorRow> attention_rows();
std::vector<OperatorRow> convolution_rows();
std::vector<OperatorRow> elementwise_rows();
std::vector<OperatorRow> indexing_rows();
std::vector<OperatorRow> loss_rows();
std::vector<OperatorRow> matrix_rows();
std::vector<OperatorRow> movement_rows();
std::vector<OperatorRow> normalization_rows();
std::vector<OperatorRow> pool_rows();
std::vector<OperatorRow> quantization_rows();
std::vector<OperatorRow> reduction_rows();
std::vector<OperatorRow> resize_rows();
std::vector<OperatorRow> shape_rows();
// Of the domain com.microsoft.
std::vector<OperatorRow> microsoft_rows();

// quantization.cpp: what the families of quantised operators share.

/// Scale and zero point of inputs k and k + 1, which must be constants. `rank`, `axis`: of the tensor they belong to, for scales of one
/// dimension; one scale is per tensor.
Quantization quantization_of(OperatorImport &op, size_t scale, size_t zero_point, int64_t axis, int64_t extent);

// convolution.cpp

/// Spatial operators: N C spatial... to N Y X C, and back. One spatial dimension gets a second of extent 1.
struct Spatial {
    OperatorImport &op;
    int64_t dimensions;  ///< 1 or 2

    /// Raises unsupported for more than two spatial dimensions.
    Spatial(OperatorImport &op, ValueId image);
    ValueId channels_last(ValueId v) const;
    ValueId channels_first(ValueId v) const;
    /// [y, x] of a list by spatial dimension; `otherwise` where the list is empty. Raises EM701 for a list of another length.
    Ints pair(const Ints &list, int64_t otherwise) const;
};

/// Window attributes of the node as the graph's operators take them. auto_pad and ceil_mode are resolved for these input extents.
struct Window {
    Ints kernel, stride, dilation, padding;  ///< [y, x]; [top, left, bottom, right]
    Attributes attributes() const { return {{"stride", stride}, {"dilation", dilation}, {"padding", padding}}; }
};
Window window_of(const Spatial &s, ValueId image, const Ints &kernel);

}  // namespace emulsion::graph::onnx_import
