#include "graph/ops/contraction.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace emulsion::graph {

namespace {

bool is_packed(DataType t) { return info(t).bits == 4; }

/// 4-bit elements as bytes; others as they are.
std::vector<uint8_t> whole_bytes(const Value &v) {
    if (!is_packed(v.type)) return *v.data;
    std::vector<uint8_t> bytes;
    for (int64_t x : constant_integers(v)) bytes.push_back(static_cast<uint8_t>(x));
    return bytes;
}

bool is_float(const Value &v) { return info(v.type).is_float; }

/// TFLite's 16-bit kernels with int64 sums scale by the upper 16 bits of the multiplier. Source: common.cc
/// MultiplyByQuantizedMultiplier(int64_t): (x * m16 + 2^(s-1)) >> s, s = 15 - exponent; our shift is 31 - exponent.
void reduce_multipliers(ChannelScales &scales) {
    for (size_t k = 0; k < scales.multiplier.size(); k++) {
        scales.multiplier[k] = scales.multiplier[k] < 0x7fff0000 ? (scales.multiplier[k] + (1 << 15)) >> 16 : 0x7fff;
        scales.shift[k] = std::max(scales.shift[k] - 16, 0);
    }
}

/// Whether sums of 16-bit inputs stay within int32, from the largest weights of any channel.
bool fits_int32(const ContractionOperands &o, const std::vector<int64_t> &bias) {
    int64_t weight = 128, offset = 0;
    if (o.weights.is_constant()) {
        weight = 0;
        for (int64_t w : constant_integers(o.weights)) weight = std::max(weight, std::abs(w));
    }
    for (int64_t b : bias) offset = std::max(offset, std::abs(b));
    return o.products * 32768 * weight + offset <= INT32_MAX;
}

std::vector<uint8_t> bias_bytes(const Node &node, const Value &bias, bool floating) {
    if (floating) return bytes_from(constant_floats(bias));
    std::vector<int32_t> values;
    for (int64_t b : constant_integers(bias)) {
        if (b < INT32_MIN || b > INT32_MAX) unsupported(node, "a bias beyond 32 bits", "scale the weights of this node down");
        values.push_back(static_cast<int32_t>(b));
    }
    return bytes_from(values);
}

void add_bias(KernelCall &call, const Graph &graph, const Node &node, const ContractionOperands &o, bool floating) {
    call.params["with_bias"] = o.bias == no_value ? "false" : "true";
    if (o.bias == no_value) return;
    const Value &bias = graph.value(o.bias);
    const int64_t elements = element_count(extents(bias));
    if (elements != o.channels) mismatch(node, fmt::format("a bias of {} for {} output channels", elements, o.channels));
    const ElementType type = floating ? ElementType::f32 : ElementType::i32;
    if (info(bias.type).element == type)
        call.arguments.push_back(value_argument(graph, node, "bias", o.bias, {o.channels}));
    else if (bias.is_constant() && is_float(bias) == floating)
        call.arguments.push_back(data_argument("bias", type, {o.channels}, bias_bytes(node, bias, floating)));
    else
        unsupported(node, fmt::format("a bias of type {}", info(bias.type).name), "use a constant bias of the accumulator's type");
}

void add_scales(KernelCall &call, const Node &node, const ContractionOperands &o, bool wide_sums) {
    ChannelScales scales = contraction_scales(node, o.in, o.weights, o.out, o.channels, o.rounding, o.product_in_float);
    call.params["rounding"] = o.rounding;
    call.params["out_zero"] = std::to_string(zero_point_of(node, o.out));
    if (!scales.scale.empty()) {
        call.arguments.push_back(data_argument("multiplier", ElementType::f32, {o.channels}, bytes_from(scales.scale)));
        return;
    }
    if (wide_sums && o.rounding == "double") {
        reduce_multipliers(scales);
        call.params["rounding"] = "single";
    }
    call.arguments.push_back(data_argument("multiplier", ElementType::i32, {o.channels}, bytes_from(scales.multiplier)));
    call.arguments.push_back(data_argument("shift", ElementType::i32, {o.channels}, bytes_from(scales.shift)));
}

}  // namespace

ElementType weight_element(const Node &node, const Value &weights) {
    if (weights.type == DataType::i4) return ElementType::i8;
    if (weights.type == DataType::u4) return ElementType::u8;
    return element_type(node, weights);
}

DataType contraction_type(const Value &in, const Value &out) {
    if (!is_integer(in.type)) return in.type;
    return is_quantized(out) ? out.type : DataType::i32;
}

void add_output_stage(KernelCall &call, const Graph &graph, const Node &node, const ContractionOperands &o) {
    const bool floating = is_float(o.in);
    if (floating != is_float(o.weights) || floating != is_float(o.out))
        unsupported(node, fmt::format("{} times {} to {}", info(o.in.type).name, info(o.weights.type).name, info(o.out.type).name),
                    "quantise inputs, weights and outputs, or none of them");
    auto &p = call.params;
    p["in_type"] = type_name(element_type(node, o.in));
    p["weight_type"] = type_name(weight_element(node, o.weights));
    p["out_type"] = type_name(element_type(node, o.out));
    if (floating) {
        add_bias(call, graph, node, o, true);
        set_range(p, activation_range(node, o.out));
        return;
    }
    if (info(o.in.type).bits > 16 || info(o.weights.type).bits > 8)
        unsupported(node, fmt::format("{} times {}", info(o.in.type).name, info(o.weights.type).name), "quantise to 8 bits");
    const std::vector<int64_t> bias = o.bias != no_value && graph.value(o.bias).is_constant() ? constant_integers(graph.value(o.bias)) : std::vector<int64_t>{};
    const bool wide_input = info(o.in.type).bits == 16;
    if (wide_input && !fits_int32(o, bias))
        unsupported(node, fmt::format("sums of {} 16-bit products, which may exceed 32 bits", o.products), "use 8-bit activations in this node");
    p["in_zero"] = std::to_string(common_zero_point(node, o.in));
    p["weight_zero"] = std::to_string(common_zero_point(node, o.weights));
    add_bias(call, graph, node, o, false);
    if (!is_quantized(o.out)) return;
    add_scales(call, node, o, wide_input && (o.bias == no_value || graph.value(o.bias).type == DataType::i64));
    set_range(p, activation_range(node, o.out));
}

KernelArgument packed_weights(const Node &node, const std::string &name, const Value &weights, const std::vector<int> &order) {
    if (!weights.is_constant())
        unsupported(node, fmt::format("weights \"{}\" that are computed", weights.name), "make the weights a constant of the model");
    const std::vector<int64_t> from = extents(weights);
    std::vector<int64_t> step(from.size(), 1);
    for (size_t d = from.size() - 1; d-- > 0;) step[d] = step[d + 1] * from[d + 1];
    std::vector<int64_t> to;
    for (int d : order) to.push_back(from[d]);
    std::reverse(to.begin(), to.end());
    const std::vector<int> result = innermost_first(node, to);

    const ElementType type = weight_element(node, weights);
    const size_t width = info(type).bytes;
    const std::vector<uint8_t> source = whole_bytes(weights);
    std::vector<uint8_t> packed(source.size());
    std::vector<int64_t> at(order.size(), 0);
    for (size_t k = 0; k < packed.size(); k += width) {
        int64_t element = 0;
        for (size_t d = 0; d < order.size(); d++) element += at[d] * step[order[d]];
        std::memcpy(packed.data() + k, source.data() + element * width, width);
        for (size_t d = 0; d < order.size() && ++at[d] == result[d]; d++) at[d] = 0;
    }
    return data_argument(name, type, result, std::move(packed));
}

KernelArgument weights_argument(const Graph &graph, const Node &node, const std::string &name, ValueId weights, std::vector<int> extents) {
    const Value &v = graph.value(weights);
    if (is_packed(v.type) && v.is_constant()) return data_argument(name, weight_element(node, v), std::move(extents), whole_bytes(v));
    return value_argument(graph, node, name, weights, std::move(extents));
}

}  // namespace emulsion::graph
