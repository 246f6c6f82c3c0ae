// Operators that say something about shapes, and constants.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

/// `v` as a value that an operator of the model gives.
ValueId added(Op &op, Value v) {
    v.name = op.draft.unique(op.name + ".constant");
    return op.graph.add_value(std::move(v));
}

void constant(Op &op) {
    if (const auto *t = op.attributes.tensor("value")) return op.result(added(op, constant_from(*t, op.name)));
    if (op.attributes.has("value_float")) return op.result(op.constant(DataType::f32, {}, std::vector<double>{op.attributes.real("value_float")}));
    if (op.attributes.has("value_floats")) {
        const std::vector<double> all = op.attributes.reals("value_floats");
        return op.result(op.constant(DataType::f32, {std::ssize(all)}, all));
    }
    if (op.attributes.has("value_int")) return op.result(op.constant(DataType::i64, {}, Ints{op.attributes.integer("value_int")}));
    if (op.attributes.has("value_ints")) return op.result(op.integers(op.attributes.integers("value_ints")));
    op.unsupported("a value that is neither a tensor nor numbers");
}

/// Repeated bytes: a limit of its own, because a few bytes of file make them.
constexpr int64_t most_filled = int64_t{1} << 26;

void constant_of_shape(Op &op) {
    const Ints shape = op.numbers(op.raw(0));
    const int64_t elements = checked_elements(shape, op.name);
    if (elements > most_filled) op.unsupported(fmt::format("{} equal elements", elements));
    Value one{.name = op.name, .type = DataType::f32, .shape = {}, .quantization = {}, .data = std::make_shared<const std::vector<uint8_t>>(4, uint8_t{0})};
    if (const auto *t = op.attributes.tensor("value")) one = constant_from(*t, op.name);
    one.shape = {};
    if (std::ssize(*one.data) != bytes_of(one.type, 1) || info(one.type).bits < 8) op.refuse("its value is not one number");
    if (elements == 0) {
        one.shape = make_shape(shape);
        one.data = std::make_shared<const std::vector<uint8_t>>();
        return op.result(added(op, std::move(one)));
    }
    op.result(op.broadcast(added(op, std::move(one)), shape));
}

void shape(Op &op) {
    const Shape &all = op.value(op.raw(0)).shape;
    const int64_t rank = std::ssize(all);
    const auto bound = [&](int64_t b) { return std::clamp<int64_t>(b < 0 ? b + rank : b, 0, rank); };
    const int64_t start = bound(op.attributes.integer("start")), end = bound(op.attributes.integer("end", rank));
    const Shape asked(all.begin() + start, all.begin() + std::max(start, end));
    op.result(op.integers(extents_of(asked, op.value(op.raw(0)).name)));
}

void size(Op &op) { op.result(op.constant(DataType::i64, {}, Ints{op.elements(op.raw(0))})); }

void range(Op &op) {
    const DataType type = op.type(op.raw(0));
    const double start = op.real(op.raw(0)), limit = op.real(op.raw(1)), delta = op.real(op.raw(2)), count = std::ceil((limit - start) / delta);
    if (!(delta != 0) || !std::isfinite(count) || count > 1 << 24) op.refuse(fmt::format("numbers from {} to {} by {}", start, limit, delta));
    const auto n = static_cast<int64_t>(std::max(count, 0.0));
    std::vector<double> reals;
    for (int64_t k = 0; k < n; k++) reals.push_back(start + static_cast<double>(k) * delta);
    if (info(type).is_float) return op.result(op.constant(type, {n}, reals));
    op.result(op.constant(type, {n}, Ints(reals.begin(), reals.end())));
}

void eye_like(Op &op) {
    const ValueId x = op.raw(0);
    if (op.rank(x) != 2) op.refuse("an input that is no matrix");
    const int64_t rows = op.extent(x, 0), columns = op.extent(x, 1), k = op.attributes.integer("k");
    if (rows * columns > most_filled) op.unsupported("a matrix of this size");
    const DataType type = op.attributes.has("dtype") ? data_type(static_cast<int32_t>(op.attributes.integer("dtype")), op.name) : op.type(x);
    Ints numbers(static_cast<size_t>(rows * columns), 0);
    for (int64_t r = 0; r < rows; r++)
        if (r + k >= 0 && r + k < columns) numbers[static_cast<size_t>(r * columns + r + k)] = 1;
    op.result(op.constant(type, {rows, columns}, numbers));
}

/// Windows of signal processing: a + b cos(2 pi k / n) + c cos(4 pi k / n).
void window(Op &op, double a, double b, double c) {
    const int64_t size = op.integer(op.raw(0));
    if (size < 1 || size > 1 << 24) op.refuse(fmt::format("a window of {}", size));
    const double n = static_cast<double>(op.attributes.integer("periodic", 1) ? size : size - 1);
    std::vector<double> values;
    for (int64_t k = 0; k < size; k++) {
        const double angle = 2 * M_PI * static_cast<double>(k) / n;
        values.push_back(a + b * std::cos(angle) + c * std::cos(2 * angle));
    }
    op.result(op.constant(data_type(static_cast<int32_t>(op.attributes.integer("output_datatype", 1)), op.name), {size}, values));
}

}  // namespace

std::vector<OperatorRow> shape_rows() {
    return {
        {"BlackmanWindow", [](Op &op) { window(op, 0.42, -0.5, 0.08); }},
        {"Constant", constant},
        {"ConstantOfShape", constant_of_shape},
        {"EyeLike", eye_like},
        {"HammingWindow", [](Op &op) { window(op, 25.0 / 46, -21.0 / 46, 0); }},
        {"HannWindow", [](Op &op) { window(op, 0.5, -0.5, 0); }},
        {"Range", range},
        {"Shape", shape},
        {"Size", size},
    };
}

}  // namespace emulsion::graph::onnx_import
