// QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear.
#include "graph/import/onnx/operator_import.h"

#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {

Quantization quantization_of(OperatorImport &op, size_t scale, size_t zero_point, int64_t axis, int64_t extent) {
    const std::vector<double> scales = op.reals(op.raw(scale));
    Ints zeros = op.has(zero_point) ? op.numbers(op.raw(zero_point)) : Ints(scales.size(), 0);
    if (scales.empty() || zeros.size() != scales.size()) op.refuse(fmt::format("{} scales and {} zero points", scales.size(), zeros.size()));
    if (scales.size() > 1 && op.rank(op.raw(scale)) > 1) op.unsupported("scales in several dimensions");
    if (scales.size() > 1 && std::ssize(scales) != extent) op.unsupported(fmt::format("{} scales along an extent of {}", scales.size(), extent));
    Quantization q;
    for (size_t k = 0; k < scales.size(); k++) {
        if (!(scales[k] >= 0) || scales[k] > 3e38 || zeros[k] < INT32_MIN || zeros[k] > INT32_MAX) op.refuse(fmt::format("scale {} and zero point {}", scales[k], zeros[k]));
        q.scale.push_back(static_cast<float>(scales[k]));
        q.zero_point.push_back(static_cast<int32_t>(zeros[k]));
    }
    q.axis = scales.size() > 1 ? static_cast<int>(axis) : -1;
    return q;
}

namespace {

using Op = OperatorImport;

Quantization along_axis(Op &op, ValueId x) {
    if (op.attributes.integer("block_size") != 0) op.unsupported("scales per block");
    const int64_t rank = op.rank(x);
    const bool several = op.elements(op.raw(1)) > 1;
    const int64_t axis = several ? op.axis(op.attributes.integer("axis", 1), rank) : 0;
    return quantization_of(op, 1, 2, axis, several ? op.extent(x, axis) : 0);
}

DataType result_type(Op &op) {
    if (op.has(2)) return op.type(op.raw(2));
    const int64_t stated = op.attributes.integer("output_dtype");
    return stated == 0 ? DataType::u8 : data_type(static_cast<int32_t>(stated), op.name);
}

void quantize(Op &op) {
    const ValueId x = op.cast(op.in(0), DataType::f32);
    op.result(op.make("quantize", {x}, {{"ties", std::string("even")}}, result_type(op), along_axis(op, x)));
}

void dequantize(Op &op) {
    const ValueId x = op.restate(op.raw(0), along_axis(op, op.raw(0)));
    const DataType type = op.type(op.raw(1));
    op.result(op.cast(op.make("dequantize", {x}), type));
}

/// Scale and zero point of the range that holds the data and 0.
void dynamic_quantize(Op &op) {
    const ValueId x = op.in(0), zero = op.like(x, 0);
    const ValueId high = op.maximum(op.reduce("max", x, {}, false), zero), low = op.minimum(op.reduce("min", x, {}, false), zero);
    const ValueId scale = op.div(op.sub(high, low), op.like(x, 255));
    const Attributes range{{"low", 0.0}, {"high", 255.0}};
    const ValueId point = op.make("clip", {op.unary("round", op.div(op.unary("neg", low), scale))}, range);
    op.result(0, op.cast(op.make("clip", {op.add(op.unary("round", op.div(x, scale)), point)}, range), DataType::u8));
    op.result(1, scale);
    op.result(2, op.cast(point, DataType::u8));
}

}  // namespace

std::vector<OperatorRow> quantization_rows() {
    return {{"DequantizeLinear", dequantize}, {"DynamicQuantizeLinear", dynamic_quantize}, {"QuantizeLinear", quantize}};
}

}  // namespace emulsion::graph::onnx_import
