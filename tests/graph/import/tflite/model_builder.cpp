#include "tests/graph/import/tflite/model_builder.h"

#include "graph/import/tflite.h"
#include "tflite_generated.h"

#include <numeric>

namespace emulsion::graph {
namespace {

using flatbuffers::Offset;

Offset<tflite::Options> add_options(flatbuffers::FlatBufferBuilder &b, const std::vector<OptionField> &fields) {
    const auto start = b.StartTable();
    for (const OptionField &f : fields) {
        const auto slot = flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(f.number));
        std::visit(
            [&](auto v) {
                if constexpr (std::is_same_v<decltype(v), bool>) b.AddElement<uint8_t>(slot, v, 2);
                else b.AddElement(slot, v, static_cast<decltype(v)>(77));  // no value of the specs: the field is always there
            },
            f.value);
    }
    return Offset<tflite::Options>(b.EndTable(start));
}

std::vector<uint8_t> ramp(size_t bytes) {
    std::vector<uint8_t> v(bytes);
    for (size_t k = 0; k < bytes; k++) v[k] = static_cast<uint8_t>(k * 37 % 11 + 250);
    return v;
}

TensorSpec activation(const std::string &name, std::vector<int32_t> shape) { return {name, 9, std::move(shape), {0.05f}, {-3}, {}}; }

TensorSpec weights(const std::string &name, std::vector<int32_t> shape) {
    const auto count = std::accumulate(shape.begin(), shape.end(), size_t{1}, [](size_t a, int32_t b) { return a * static_cast<size_t>(b); });
    return {name, 9, std::move(shape), {0.01f}, {0}, ramp(count)};
}

TensorSpec bias(const std::string &name, int32_t count) { return {name, 2, {count}, {0.0005f}, {0}, std::vector<uint8_t>(static_cast<size_t>(count) * 4, 0)}; }

TensorSpec integers(const std::string &name, const std::vector<int32_t> &numbers, std::vector<int32_t> shape) {
    return {name, 2, std::move(shape), {}, {}, bytes_from(numbers)};
}

}  // namespace

std::string ModelSpec::bytes() const {
    flatbuffers::FlatBufferBuilder b;
    std::vector<Offset<tflite::Buffer>> buffers{tflite::CreateBuffer(b)};
    std::vector<Offset<tflite::Tensor>> all;
    for (const TensorSpec &t : tensors) {
        uint32_t buffer = 0;
        if (!t.data.empty()) {
            buffer = static_cast<uint32_t>(buffers.size());
            buffers.push_back(tflite::CreateBufferDirect(b, &t.data));
        }
        Offset<tflite::Quantization> q;
        if (!t.scale.empty()) q = tflite::CreateQuantizationDirect(b, nullptr, nullptr, &t.scale, &t.zero_point, 0, 0, t.quantized_dimension);
        all.push_back(tflite::CreateTensorDirect(b, &t.shape, static_cast<int8_t>(t.type), buffer, t.name.c_str(), q));
    }
    std::vector<Offset<tflite::OperatorCode>> codes;
    std::vector<Offset<tflite::Operator>> ops;
    for (const OperatorSpec &o : operators) {
        const auto options = add_options(b, o.options);
        ops.push_back(tflite::CreateOperatorDirect(b, static_cast<uint32_t>(codes.size()), &o.inputs, &o.outputs, 0, options));
        codes.push_back(tflite::CreateOperatorCodeDirect(b, static_cast<int8_t>(std::min(o.code, 127)), o.custom.empty() ? nullptr : o.custom.c_str(), 1, o.code));
    }
    std::vector<Offset<tflite::SubGraph>> graphs{tflite::CreateSubGraphDirect(b, &all, &inputs, &outputs, &ops, "main")};
    tflite::FinishModelBuffer(b, tflite::CreateModelDirect(b, 3, &codes, &graphs, "test", &buffers));
    return {reinterpret_cast<const char *>(b.GetBufferPointer()), b.GetSize()};
}

ModelSpec convolution_spec() {
    using i8 = int8_t;
    ModelSpec m;
    m.tensors = {activation("picture", {1, 8, 8, 3}), weights("conv/w", {4, 3, 3, 3}), bias("conv/b", 4),   activation("conv", {1, 4, 4, 4}),
                 weights("dw/w", {1, 3, 3, 4}),       bias("dw/b", 4),                 activation("dw", {1, 4, 4, 4}), activation("pool", {1, 2, 2, 4}),
                 integers("shape", {1, 16}, {2}),     activation("flat", {1, 16}),     weights("fc/w", {5, 16}), bias("fc/b", 5),
                 activation("logits", {1, 5}),        activation("probabilities", {1, 5})};
    m.tensors[13].scale = {1.f / 256}, m.tensors[13].zero_point = {-128};
    m.operators = {
        {3, {0, 1, 2}, {3}, {{0, i8{0}}, {1, 2}, {2, 2}, {3, i8{3}}, {4, 1}, {5, 1}}, ""},
        {4, {3, 4, 5}, {6}, {{0, i8{0}}, {1, 1}, {2, 1}, {3, 1}, {4, i8{1}}, {5, 1}, {6, 1}}, ""},
        {17, {6}, {7}, {{0, i8{1}}, {1, 2}, {2, 2}, {3, 2}, {4, 2}, {5, i8{0}}}, ""},
        {22, {7, 8}, {9}, {}, ""},
        {9, {9, 10, 11}, {12}, {{0, i8{0}}}, ""},
        {25, {12}, {13}, {{0, 1.0f}}, ""},
    };
    m.inputs = {0}, m.outputs = {13};
    return m;
}

ModelSpec movement_spec() {
    using i8 = int8_t;
    const auto real = [](const std::string &name, std::vector<int32_t> shape) { return TensorSpec{name, 0, std::move(shape), {}, {}, {}}; };
    ModelSpec m;
    m.tensors = {real("a", {1, 4, 4, 2}),       real("b", {1, 4, 4, 2}),    real("sum", {1, 4, 4, 2}),  real("both", {1, 4, 4, 4}),
                 integers("pads", {0, 0, 1, 1, 1, 1, 0, 0}, {4, 2}), real("wide", {1, 6, 6, 4}),        integers("order", {0, 3, 1, 2}, {4}),
                 real("turned", {1, 4, 6, 6}),  integers("axes", {2, 3}, {2}), real("mean", {1, 4})};
    m.operators = {
        {0, {0, 1}, {2}, {{0, i8{1}}}, ""},
        {2, {2, 1}, {3}, {{0, 3}, {1, i8{0}}}, ""},
        {34, {3, 4}, {5}, {}, ""},
        {39, {5, 6}, {7}, {}, ""},
        {40, {7, 8}, {9}, {{0, false}}, ""},
    };
    m.inputs = {0, 1}, m.outputs = {9};
    return m;
}

Graph import_bytes(const std::string &bytes) {
    return import_tflite({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, "test");
}

}  // namespace emulsion::graph
