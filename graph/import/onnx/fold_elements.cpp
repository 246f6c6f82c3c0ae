// Element-wise functions of constants.
#include "graph/import/onnx/fold.h"
#include "runtime/isa/float16.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace emulsion::graph::onnx_import {
namespace {

using Ints = std::vector<int64_t>;

int64_t wrapped(uint64_t x) { return static_cast<int64_t>(x); }

struct IntegerFunction {
    std::string_view op, function;  ///< function empty: any
    bool divides;
    int64_t (*value)(int64_t a, int64_t b);
};
constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
constexpr IntegerFunction integer_functions[] = {
    {"add", "", false, [](int64_t a, int64_t b) { return wrapped(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }},
    {"sub", "", false, [](int64_t a, int64_t b) { return wrapped(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }},
    {"mul", "", false, [](int64_t a, int64_t b) { return wrapped(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }},
    {"div", "", true, [](int64_t a, int64_t b) { return a == lowest && b == -1 ? a : a / b; }},
    {"modulo", "", true, [](int64_t a, int64_t b) { return b == -1 ? 0 : (a % b + b) % b; }},
    {"minimum", "", false, [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"maximum", "", false, [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"bitwise", "and", false, [](int64_t a, int64_t b) { return a & b; }},
    {"bitwise", "or", false, [](int64_t a, int64_t b) { return a | b; }},
    {"bitwise", "xor", false, [](int64_t a, int64_t b) { return a ^ b; }},
    {"compare", "equal", false, [](int64_t a, int64_t b) { return int64_t{a == b}; }},
    {"compare", "not_equal", false, [](int64_t a, int64_t b) { return int64_t{a != b}; }},
    {"compare", "less", false, [](int64_t a, int64_t b) { return int64_t{a < b}; }},
    {"compare", "less_equal", false, [](int64_t a, int64_t b) { return int64_t{a <= b}; }},
    {"compare", "greater", false, [](int64_t a, int64_t b) { return int64_t{a > b}; }},
    {"compare", "greater_equal", false, [](int64_t a, int64_t b) { return int64_t{a >= b}; }},
};

struct RealFunction {
    std::string_view op, function;
    float (*value)(float a, float b);
};
constexpr RealFunction real_functions[] = {
    {"add", "", [](float a, float b) { return a + b; }},
    {"sub", "", [](float a, float b) { return a - b; }},
    {"mul", "", [](float a, float b) { return a * b; }},
    {"div", "", [](float a, float b) { return a / b; }},
    {"minimum", "", [](float a, float b) { return std::min(a, b); }},
    {"maximum", "", [](float a, float b) { return std::max(a, b); }},
    {"pow", "", [](float a, float b) { return std::pow(a, b); }},
};

struct Comparison {
    std::string_view function;
    bool (*value)(double a, double b);
};
constexpr Comparison comparisons[] = {
    {"equal", [](double a, double b) { return a == b; }},     {"not_equal", [](double a, double b) { return a != b; }},
    {"less", [](double a, double b) { return a < b; }},       {"less_equal", [](double a, double b) { return a <= b; }},
    {"greater", [](double a, double b) { return a > b; }},    {"greater_equal", [](double a, double b) { return a >= b; }},
};

// Functions of one operand whose float32 result is exact, or rounded once as every library rounds it.
struct UnaryFunction {
    std::string_view function;
    float (*value)(float x);
};
constexpr UnaryFunction unary_functions[] = {
    {"neg", [](float x) { return -x; }},
    {"abs", [](float x) { return std::fabs(x); }},
    {"floor", [](float x) { return std::floor(x); }},
    {"ceil", [](float x) { return std::ceil(x); }},
    {"round", [](float x) { return std::nearbyint(x); }},
    {"sqrt", [](float x) { return std::sqrt(x); }},
    {"reciprocal", [](float x) { return 1.0f / x; }},
    {"square", [](float x) { return x * x; }},
};

bool is_short_float(DataType t) { return info(t).is_float && t != DataType::f64; }

/// Constant k in the order of the result's elements.
template<typename Number>
std::vector<Number> spread(const std::vector<Number> &numbers, const Value &v, const Ints &to) {
    Bytes bytes(numbers.size() * sizeof(Number));
    if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    const Bytes walked = walk(bytes, sizeof(Number), 0, broadcast_steps(extents_of(v.shape, v.name), to));
    std::vector<Number> result(walked.size() / sizeof(Number));
    if (!walked.empty()) std::memcpy(result.data(), walked.data(), walked.size());
    return result;
}

std::optional<Bytes> integers(const Node &n, const Value &a, const Value &b, const Value &o, const Ints &to) {
    for (const IntegerFunction &f : integer_functions) {
        if (f.op != n.op || (!f.function.empty() && f.function != n.text("function"))) continue;
        if (n.op == "modulo" && n.integer("fmod")) return {};
        const Ints x = spread(constant_integers(a), a, to), y = spread(constant_integers(b), b, to);
        if (f.divides && std::find(y.begin(), y.end(), 0) != y.end()) return {};
        Ints r(x.size());
        for (size_t k = 0; k < x.size(); k++) r[k] = f.value(x[k], y[k]);
        return stored(o.type, r);
    }
    return {};
}

std::optional<Bytes> reals(const Node &n, const Value &a, const Value &b, const Value &o, const Ints &to) {
    const std::vector<float> x = spread(constant_floats(a), a, to), y = spread(constant_floats(b), b, to);
    for (const RealFunction &f : real_functions) {
        if (f.op != n.op) continue;
        std::vector<double> r;
        for (size_t k = 0; k < x.size(); k++) r.push_back(f.value(x[k], y[k]));
        return stored(o.type, r);
    }
    for (const Comparison &c : comparisons) {
        if (n.op != "compare" || c.function != n.text("function")) continue;
        Ints r;
        for (size_t k = 0; k < x.size(); k++) r.push_back(c.value(x[k], y[k]));
        return stored(DataType::boolean, r);
    }
    return {};
}

std::optional<Bytes> binary(const Graph &g, const Node &n) {
    const Value &a = g.value(n.inputs[0]), &b = g.value(n.inputs[1]), &o = g.value(n.outputs[0]);
    if (!a.quantization.empty() || !b.quantization.empty() || n.text("activation", "none") != "none") return {};
    const Ints to = extents_of(o.shape, o.name);
    if (is_short_float(a.type)) return reals(n, a, b, o, to);
    if (info(a.type).is_float || a.type == DataType::u64) return {};
    return integers(n, a, b, o, to);
}

std::optional<Bytes> select(const Graph &g, const Node &n) {
    const Value &condition = g.value(n.inputs[0]), &a = g.value(n.inputs[1]), &b = g.value(n.inputs[2]), &o = g.value(n.outputs[0]);
    const Ints to = extents_of(o.shape, o.name);
    const auto walked = [&](const Value &v) { return walk(*v.data, info(v.type).bits / 8, 0, broadcast_steps(extents_of(v.shape, v.name), to)); };
    const Bytes c = walked(condition), x = walked(a), y = walked(b);
    Bytes r = y;
    const size_t w = info(o.type).bits / 8;
    for (size_t k = 0; k < c.size(); k++)
        if (c[k]) std::memcpy(r.data() + k * w, x.data() + k * w, w);
    return r;
}

std::optional<Bytes> unary(const Graph &g, const Node &n) {
    const Value &a = g.value(n.inputs[0]);
    const std::string function = n.text("function");
    if (!a.quantization.empty()) return {};
    if (a.type == DataType::boolean && function == "logical_not") {
        Bytes r = *a.data;
        for (uint8_t &x : r) x = !x;
        return r;
    }
    if (a.type == DataType::f64 || a.type == DataType::u64) return {};
    if (!info(a.type).is_float && function != "neg" && function != "abs") return {};
    for (const UnaryFunction &f : unary_functions) {
        if (f.function != function) continue;
        if (!info(a.type).is_float) {
            Ints r = constant_integers(a);
            for (int64_t &x : r) x = x < 0 || function == "neg" ? wrapped(0 - static_cast<uint64_t>(x)) : x;
            return stored(a.type, r);
        }
        std::vector<double> r;
        for (float x : constant_floats(a)) r.push_back(f.value(x));
        return stored(a.type, r);
    }
    return {};
}

template<typename T, typename Number>
Bytes raw(const std::vector<Number> &numbers) {
    Bytes bytes(numbers.size() * sizeof(T));
    for (size_t k = 0; k < numbers.size(); k++) {
        T t;
        if constexpr (std::is_same_v<Number, int64_t> && !std::is_floating_point_v<T>) t = static_cast<T>(static_cast<uint64_t>(numbers[k]));
        else t = static_cast<T>(numbers[k]);
        std::memcpy(bytes.data() + k * sizeof(T), &t, sizeof(T));
    }
    return bytes;
}

template<typename Number>
Bytes halves(const std::vector<Number> &numbers, uint16_t (*half)(float)) {
    std::vector<int64_t> bits;
    for (Number n : numbers) bits.push_back(half(static_cast<float>(n)));
    return raw<uint16_t>(bits);
}

template<typename Number>
Bytes stored_numbers(DataType type, const std::vector<Number> &n) {
    switch (type) {
    case DataType::f32: return raw<float>(n);
    case DataType::f64: return raw<double>(n);
    case DataType::f16: return halves(n, f32_to_f16);
    case DataType::bf16: return halves(n, f32_to_bf16);
    default: break;
    }
    std::vector<int64_t> whole(n.begin(), n.end());
    switch (info(type).bits) {
    case 16: return raw<uint16_t>(whole);
    case 32: return raw<uint32_t>(whole);
    case 64: return raw<uint64_t>(whole);
    case 8: return raw<uint8_t>(whole);
    default: break;
    }
    Bytes packed((whole.size() + 1) / 2, 0);  // 4 bits
    for (size_t k = 0; k < whole.size(); k++) packed[k / 2] |= static_cast<uint8_t>((whole[k] & 15) << (k % 2 * 4));
    return packed;
}

}  // namespace

Bytes stored(DataType type, const std::vector<int64_t> &numbers) { return stored_numbers(type, numbers); }
Bytes stored(DataType type, const std::vector<double> &numbers) { return stored_numbers(type, numbers); }

std::optional<Bytes> fold_elements(const Graph &graph, const Node &node) {
    if (node.op == "unary") return unary(graph, node);
    if (node.op == "select") return select(graph, node);
    if (node.inputs.size() == 2) return binary(graph, node);
    return {};
}

}  // namespace emulsion::graph::onnx_import
