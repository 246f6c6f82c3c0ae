#include "tests/generators/run_generator.h"

#include "npu_backend/reference/reference.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace emulsion {

namespace {

using reference::Index;
using reference::Tensor;

/// Calls f with a null pointer of the C++ type of `t`.
template<typename F>
void with_type(const Halide::Type &t, F f) {
    if (t == Halide::Int(8)) return f(static_cast<int8_t *>(nullptr));
    if (t == Halide::UInt(8)) return f(static_cast<uint8_t *>(nullptr));
    if (t == Halide::Int(16)) return f(static_cast<int16_t *>(nullptr));
    if (t == Halide::UInt(16)) return f(static_cast<uint16_t *>(nullptr));
    if (t == Halide::Int(32)) return f(static_cast<int32_t *>(nullptr));
    if (t == Halide::Float(32)) return f(static_cast<float *>(nullptr));
    if (t == Halide::Float(16)) return f(static_cast<Halide::float16_t *>(nullptr));
    if (t == Halide::BFloat(16)) return f(static_cast<Halide::bfloat16_t *>(nullptr));
    FAIL() << "no test values of this type";
}

template<typename T>
T from_double(double v) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(v);
    else return T(static_cast<float>(v));
}

Halide::Buffer<> to_buffer(const Tensor &t, const Halide::Type &type) {
    Halide::Buffer<> buffer(type, t.extents);
    with_type(type, [&]<typename T>(T *) {
        for (size_t i = 0; i < t.values.size(); i++) static_cast<T *>(buffer.data())[i] = from_double<T>(t.values[i]);
    });
    return buffer;
}

Tensor to_tensor(const Halide::Buffer<> &buffer, const Index &extents) {
    Tensor t(extents);
    with_type(buffer.type(), [&]<typename T>(T *) {
        for (size_t i = 0; i < t.values.size(); i++)
            t.values[i] = static_cast<double>(static_cast<const T *>(buffer.data())[i]);
    });
    return t;
}

int64_t scalar_bits(const Halide::Type &type, double value) {
    return type.is_float() ? std::bit_cast<int32_t>(static_cast<float>(value)) : static_cast<int64_t>(value);
}

}  // namespace

Tensor run_generator(const GeneratorRun &run) {
    Reference compiled({.generator = run.generator, .params = run.params, .shapes = {}, .scalars = {}, .parts = {}, .function_name = {}});
    NamedBuffers inputs, outputs;
    NamedScalars scalars;
    for (const Signature &s : compiled.signature()) {
        if (s.kind == Signature::Kind::input) inputs[s.name] = to_buffer(run.inputs.at(s.name), s.type);
        if (s.kind == Signature::Kind::output) outputs[s.name] = Halide::Buffer<>(s.type, run.out_extents);
        if (s.kind == Signature::Kind::scalar && run.scalars.contains(s.name)) scalars[s.name] = scalar_bits(s.type, run.scalars.at(s.name));
    }
    compiled.run(inputs, outputs, scalars);
    return to_tensor(outputs.at("out"), run.out_extents);
}

Tensor random_integers(std::mt19937 &random, Index extents, int lo, int hi) {
    Tensor t(std::move(extents));
    for (double &v : t.values) v = pick(random, lo, hi);
    return t;
}

Tensor random_reals(std::mt19937 &random, Index extents) {
    Tensor t(std::move(extents));
    for (double &v : t.values) v = pick(random, -128, 128) / 64.0;
    return t;
}

int pick(std::mt19937 &random, int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); }

void expect_equal(const Tensor &got, const Tensor &expected, double tolerance) {
    ASSERT_EQ(got.extents, expected.extents);
    for (size_t i = 0; i < got.values.size(); i++)
        ASSERT_LE(std::abs(got.values[i] - expected.values[i]), tolerance * (1 + std::abs(expected.values[i])))
            << "element " << i << ": " << got.values[i] << ", expected " << expected.values[i];
}

}  // namespace emulsion
