#include "graph/import/onnx/tensor.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {
namespace {

using format::TensorProto;

/// Where elements lie that are not raw bytes.
enum class Field : uint8_t { floats, int32s, int64s, doubles, uint64s };

struct TypeRow {
    int32_t number;
    DataType type;
    Field field;
};

constexpr TypeRow types[] = {
    {TensorProto::FLOAT, DataType::f32, Field::floats},     {TensorProto::UINT8, DataType::u8, Field::int32s},     {TensorProto::INT8, DataType::i8, Field::int32s},
    {TensorProto::UINT16, DataType::u16, Field::int32s},    {TensorProto::INT16, DataType::i16, Field::int32s},    {TensorProto::INT32, DataType::i32, Field::int32s},
    {TensorProto::INT64, DataType::i64, Field::int64s},     {TensorProto::BOOL, DataType::boolean, Field::int32s}, {TensorProto::FLOAT16, DataType::f16, Field::int32s},
    {TensorProto::DOUBLE, DataType::f64, Field::doubles},   {TensorProto::UINT32, DataType::u32, Field::uint64s},  {TensorProto::UINT64, DataType::u64, Field::uint64s},
    {TensorProto::BFLOAT16, DataType::bf16, Field::int32s}, {TensorProto::UINT4, DataType::u4, Field::int32s},     {TensorProto::INT4, DataType::i4, Field::int32s},
};

const TypeRow &row_of(int32_t number, const std::string &name) {
    const auto row = std::find_if(std::begin(types), std::end(types), [&](const TypeRow &r) { return r.number == number; });
    if (row == std::end(types)) raise(Diag::onnx_type, {.stage = "onnx", .node = name}, name, number);
    return *row;
}

/// Low bytes of every number of the field. Packed types fill one number with several elements.
template<typename Numbers>
std::vector<uint8_t> narrowed(const Numbers &numbers, int64_t width) {
    std::vector<uint8_t> bytes;
    bytes.reserve(numbers.size() * width);
    for (const auto n : numbers) {
        uint8_t raw[sizeof(n)];
        std::memcpy(raw, &n, sizeof(n));
        bytes.insert(bytes.end(), raw, raw + width);
    }
    return bytes;
}

std::vector<uint8_t> field_bytes(const TensorProto &t, const TypeRow &row) {
    const int64_t width = bytes_of(row.type, 1);
    switch (row.field) {
    case Field::floats: return narrowed(t.float_data(), width);
    case Field::int32s: return narrowed(t.int32_data(), width);
    case Field::int64s: return narrowed(t.int64_data(), width);
    case Field::doubles: return narrowed(t.double_data(), width);
    case Field::uint64s: return narrowed(t.uint64_data(), width);
    }
    return {};
}

}  // namespace

void broken(const std::string &why, const std::string &node) { raise(Diag::model_broken, {.stage = "onnx", .node = node}, "ONNX", why); }

DataType data_type(int32_t number, const std::string &name) { return row_of(number, name).type; }

int32_t type_number(DataType type) {
    return std::find_if(std::begin(types), std::end(types), [&](const TypeRow &r) { return r.type == type; })->number;
}

int64_t checked_elements(const std::vector<int64_t> &extents, const std::string &name) {
    const auto limit = [&](const std::string &what, const auto &is, int64_t most) { raise(Diag::model_limit, {.stage = "onnx", .node = name}, what + " of \"" + name + "\"", is, most); };
    if (std::ssize(extents) > most_dimensions) limit("the rank", extents.size(), most_dimensions);
    int64_t elements = 1;
    for (int64_t e : extents) {
        if (e < 0) broken(fmt::format("\"{}\" has extent {}", name, e), name);
        if (e > most_elements || (e > 0 && elements > most_elements / e)) limit("the size", "larger", most_elements);
        elements *= e;
    }
    return elements;
}

Value constant_from(const TensorProto &t, const std::string &name) {
    if (t.data_location() == TensorProto::EXTERNAL || t.external_data_size() > 0) raise(Diag::onnx_external, {.stage = "onnx", .node = name}, name);
    if (t.has_segment()) broken(fmt::format("\"{}\" is stored in segments, which are not read here", name), name);
    const TypeRow &row = row_of(t.data_type(), name);
    const std::vector<int64_t> extents(t.dims().begin(), t.dims().end());
    const int64_t elements = checked_elements(extents, name);
    std::vector<uint8_t> bytes = t.has_raw_data() ? std::vector<uint8_t>(t.raw_data().begin(), t.raw_data().end()) : field_bytes(t, row);
    const int64_t expected = bytes_of(row.type, elements);
    if (std::ssize(bytes) != expected) broken(fmt::format("\"{}\" holds {} B, its shape takes {} B", name, bytes.size(), expected), name);
    if (row.type == DataType::boolean)
        for (uint8_t &b : bytes) b = b != 0;
    return {.name = name, .type = row.type, .shape = make_shape(extents), .quantization = {}, .data = std::make_shared<const std::vector<uint8_t>>(std::move(bytes))};
}

Value value_from(const format::TypeProto &type, const std::string &name) {
    if (!type.has_tensor_type()) raise(Diag::onnx_type, {.stage = "onnx", .node = name}, name, "sequence, map or optional");
    const auto &t = type.tensor_type();
    Value v{.name = name, .type = data_type(t.elem_type(), name), .shape = {}, .quantization = {}, .data = nullptr};
    std::vector<int64_t> known;
    for (int d = 0; d < t.shape().dim_size(); d++) {
        const auto &dim = t.shape().dim(d);
        if (dim.has_dim_value()) {
            known.push_back(dim.dim_value());
            v.shape.push_back({.extent = dim.dim_value()});
        } else {
            v.shape.push_back({-1, dim.dim_param().empty() ? fmt::format("{}.{}", name, d) : dim.dim_param()});
        }
    }
    checked_elements(known, name);
    if (std::ssize(v.shape) > most_dimensions) raise(Diag::model_limit, {.stage = "onnx", .node = name}, "the rank of \"" + name + "\"", v.shape.size(), most_dimensions);
    return v;
}

}  // namespace emulsion::graph::onnx_import
