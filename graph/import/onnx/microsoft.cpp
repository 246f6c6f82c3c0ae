// Quantised operators of the domain com.microsoft, as quantisation tools write them. Each gives the bits of ONNX Runtime's kernels on
// x86-64 with AVX2: sources are onnxruntime/core/mlas/lib (qladd, qlmul, qlgavgpool) and contrib_ops/cpu/quantization.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

/// One scale and zero point, at inputs k and k + 1.
struct Scale {
    float scale;
    int32_t zero;
};
Scale scale_of(Op &op, size_t k) {
    const Quantization q = quantization_of(op, k, k + 1, 0, 0);
    return {q.scale[0], q.zero_point[0]};
}
Quantization stated(const Scale &s) { return {.scale = {s.scale}, .zero_point = {s.zero}, .axis = -1}; }

int32_t lowest(DataType t) { return info(t).is_signed ? -128 : 0; }
void check_bytes(Op &op, ValueId v) {
    if (info(op.type(v)).bits != 8 || op.is_float(v)) op.unsupported("elements that are not 8-bit integers");
}

int32_t rounded(float x, int32_t low) { return static_cast<int32_t>(std::clamp(std::nearbyint(x), static_cast<float>(low), static_cast<float>(low + 255))); }

struct Pair {
    Scale a, b, c;
    int32_t low;  ///< of the element type
    bool a_is_one, b_is_one;
};

/// a/c and b/c as factors, the zero points and a single operand in a constant, the rest by fused multiply-add.
int32_t runtime_sum(const Pair &p, int32_t a, int32_t b) {
    const float ra = p.a.scale / p.c.scale, rb = p.b.scale / p.c.scale;
    const float za = ra * static_cast<float>(p.a.zero), zb = rb * static_cast<float>(p.b.zero), zeros = za + zb;
    float x = static_cast<float>(p.c.zero) - zeros;
    const float one_a = static_cast<float>(a) * ra, one_b = static_cast<float>(b) * rb;
    if (p.a_is_one) x = x + one_a;
    if (p.b_is_one) x = x + one_b;
    if (!p.b_is_one) x = std::fma(static_cast<float>(b), rb, x);
    if (!p.a_is_one) x = std::fma(static_cast<float>(a), ra, x);
    return rounded(x, p.low);
}
int32_t runtime_product(const Pair &p, int32_t a, int32_t b) {
    const float ratio = p.a.scale * p.b.scale / p.c.scale, scaled = static_cast<float>((a - p.a.zero) * (b - p.b.zero)) * ratio;
    return rounded(scaled + static_cast<float>(p.c.zero), p.low);
}

// The graph's operators with rounding rne_f32.
int32_t finished(const Pair &p, float x) { return static_cast<int32_t>(std::clamp(std::nearbyint(x / p.c.scale) + static_cast<float>(p.c.zero), static_cast<float>(p.low), static_cast<float>(p.low + 255))); }
float dequantized(const Scale &s, int32_t q) { return static_cast<float>(q - s.zero) * s.scale; }
int32_t graph_sum(const Pair &p, int32_t a, int32_t b) { return finished(p, dequantized(p.a, a) + dequantized(p.b, b)); }
int32_t graph_product(const Pair &p, int32_t a, int32_t b) { return finished(p, dequantized(p.a, a) * dequantized(p.b, b)); }

struct Function {
    const char *name;
    int32_t (*runtime)(const Pair &, int32_t, int32_t);
    int32_t (*graph)(const Pair &, int32_t, int32_t);
};

/// Inputs A, scale, zero, B, scale, zero, C's scale and zero. All 65536 pairs of operands are tried: where the graph's operator differs
/// from the runtime's for one of them, the results come from a table.
void by_pairs(Op &op, const Function &f) {
    const ValueId a = op.raw(0), b = op.raw(3);
    check_bytes(op, a);
    check_bytes(op, b);
    if (op.type(a) != op.type(b)) op.refuse("operands of two types");
    const Pair p{.a = scale_of(op, 1), .b = scale_of(op, 4), .c = scale_of(op, 6), .low = lowest(op.type(a)), .a_is_one = op.elements(a) == 1, .b_is_one = op.elements(b) == 1};
    Ints table;
    bool equal = p.a.scale > 0 && p.b.scale > 0 && p.c.scale > 0;
    for (int32_t x = p.low; x < p.low + 256; x++)
        for (int32_t y = p.low; y < p.low + 256; y++) {
            table.push_back(f.runtime(p, x, y));
            equal = equal && table.back() == f.graph(p, x, y);
        }
    if (equal)
        return op.result(op.make(f.name, {op.restate(a, stated(p.a)), op.restate(b, stated(p.b))}, {{"rounding", std::string("rne_f32")}}, op.type(a), stated(p.c)));
    const auto number = [&](ValueId v) { return op.cast(op.without_quantization(v), DataType::i32); };
    const auto whole = [&](int64_t n) { return op.constant(DataType::i32, {}, Ints{n}); };
    const ValueId index = op.add(op.mul(number(a), whole(256)), op.add(number(b), whole(-p.low * 257)));
    op.result(op.restate(op.gather(op.constant(op.type(a), {65536}, table), index, 0), stated(p.c)));
}

/// round(x) + zero, clamped, as an integer with quantisation `s`.
ValueId quantized(Op &op, ValueId x, int32_t zero, DataType type, const Scale &s) {
    const ValueId q = op.make("quantize", {x}, {{"ties", std::string("even")}}, type, Quantization{.scale = {1}, .zero_point = {zero}, .axis = -1});
    return op.restate(q, stated(s));
}

/// exp in a table of float32 that the largest input of a row indexes at its end; sums in order of the row.
void softmax(Op &op) {
    const ValueId x = op.raw(0);
    check_bytes(op, x);
    const Scale in = scale_of(op, 1), out = scale_of(op, 3);
    const int64_t rank = op.rank(x), axis = op.axis(op.attributes.integer("axis", -1), rank);
    if (op.attributes.integer("opset", 13) < 13 && axis != rank - 1) op.unsupported("an axis before opset 13 that is not the last");
    if (out.scale <= 0 || in.scale <= 0) op.refuse("a scale is 0");
    const auto row = static_cast<uint64_t>(op.extent(x, axis));
    const double shift = std::max(0.0, static_cast<double>(std::log(std::numeric_limits<float>::max() / static_cast<float>(row))) - 5) / static_cast<double>(in.scale);
    std::vector<double> table;
    for (int k = 0; k < 256; k++) table.push_back(static_cast<double>(static_cast<float>(std::exp((static_cast<double>(k) - 255 + shift) * static_cast<double>(in.scale)))));
    Ints turn;
    for (int64_t d = 0; d < rank; d++) turn.push_back(d);
    std::swap(turn[static_cast<size_t>(axis)], turn[static_cast<size_t>(rank - 1)]);
    const ValueId number = op.cast(op.transpose(op.without_quantization(x), turn), DataType::i32);
    const ValueId largest = op.reduce("max", number, {rank - 1}, true);
    const ValueId index = op.add(op.sub(number, largest), op.constant(DataType::i32, {}, Ints{255}));
    const ValueId e = op.gather(op.constant(DataType::f32, {256}, table), index, 0), sum = op.reduce("sum", e, {rank - 1}, true);
    const ValueId scaled = op.div(op.mul(e, op.like(e, static_cast<double>(std::floor(1.0f / out.scale)))), sum);
    op.result(op.transpose(quantized(op, scaled, out.zero, op.type(x), out), turn));
}

/// (sum - zero * pixels) * (in / (out * pixels)), float32.
void global_average_pool(Op &op) {
    const ValueId x = op.raw(0);
    check_bytes(op, x);
    if (op.attributes.integer("channels_last")) op.unsupported("channels_last");
    const Scale in = scale_of(op, 1), out = scale_of(op, 3);
    Ints spatial;
    int64_t pixels = 1;
    for (int64_t d = 2; d < op.rank(x); d++) spatial.push_back(d), pixels *= op.extent(x, d);
    if (spatial.empty()) op.refuse("an input without spatial dimensions");
    const ValueId sum = op.reduce("sum", op.cast(op.without_quantization(x), DataType::i32), spatial, true);
    const ValueId centred = op.add(sum, op.constant(DataType::i32, {}, Ints{-in.zero * pixels}));
    const float factor = in.scale / (out.scale * static_cast<float>(pixels));
    const ValueId real = op.cast(centred, DataType::f32);
    op.result(quantized(op, op.mul(real, op.like(real, static_cast<double>(factor))), out.zero, op.type(x), out));
}

/// A, scale, zero, B, scale, zero, C (int32), Y's scale and zero.
void gemm(Op &op) {
    const ValueId a = op.raw(0), b = op.raw(3);
    if (op.rank(a) != 2 || op.rank(b) != 2) op.refuse("an operand that is no matrix");
    if (op.attributes.real("alpha", 1) != 1) op.unsupported("alpha");
    const bool turn_b = op.attributes.integer("transB");
    const int64_t columns = op.extent(b, turn_b ? 0 : 1);
    const ValueId left = op.restate(op.attributes.integer("transA") ? op.transpose(a, {1, 0}) : a, stated(scale_of(op, 1)));
    std::vector<ValueId> in{left, op.restate(b, quantization_of(op, 4, 5, turn_b ? 0 : 1, columns))};
    if (op.has(6)) in.push_back(op.reshape(op.in(6), {columns}));
    if (!op.has(7)) op.unsupported("a result of floats");
    const Scale out = scale_of(op, 7);
    op.result(op.make("matmul", in, {{"transpose_b", int64_t{turn_b}}, {"rounding", std::string("rne_f32")}}, op.has(8) ? op.type(op.raw(8)) : op.type(a), stated(out)));
}

}  // namespace

std::vector<OperatorRow> microsoft_rows() {
    return {{"QGemm", gemm},
            {"QLinearAdd", [](Op &op) { by_pairs(op, {"add", runtime_sum, graph_sum}); }},
            {"QLinearGlobalAveragePool", global_average_pool},
            {"QLinearMul", [](Op &op) { by_pairs(op, {"mul", runtime_product, graph_product}); }},
            {"QLinearSoftmax", softmax}};
}

}  // namespace emulsion::graph::onnx_import
