#include "graph/ops/quantized.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct ActivationRow {
    std::string_view name;
    double low, high;
};
constexpr ActivationRow activations[] = {
    {"none", -infinity, infinity}, {"relu", 0, infinity}, {"relu6", 0, 6}, {"relu_n1_to_1", -1, 1}};

const Quantization &one_scale(const Node &node, const Value &v) {
    if (v.quantization.scale.size() != 1 || v.quantization.zero_point.size() != 1)
        unsupported(node, fmt::format("value \"{}\" with {} scales", v.name, v.quantization.scale.size()),
                    "quantise this value with one scale for the tensor");
    return v.quantization;
}

/// Bounds of the type, for quantised integers only.
ActivationRange type_range(const Value &v) {
    if (!is_quantized(v)) return {};
    const DataTypeInfo &t = info(v.type);
    const double top = std::ldexp(1.0, t.bits);
    return t.is_signed ? ActivationRange{-top / 2, top / 2 - 1} : ActivationRange{0, top - 1};
}

}  // namespace

bool is_quantized(const Value &v) { return is_integer(v.type) && !v.quantization.empty(); }

float scale_of(const Node &node, const Value &v) { return one_scale(node, v).scale[0]; }
int32_t zero_point_of(const Node &node, const Value &v) { return one_scale(node, v).zero_point[0]; }

int32_t common_zero_point(const Node &node, const Value &v) {
    const std::vector<int32_t> &zeros = v.quantization.zero_point;
    if (zeros.empty() || !is_integer(v.type)) return 0;
    if (std::any_of(zeros.begin(), zeros.end(), [&](int32_t z) { return z != zeros[0]; }))
        unsupported(node, fmt::format("value \"{}\" with a zero point per channel", v.name), "quantise the weights symmetrically");
    return zeros[0];
}

ChannelScales contraction_scales(const Node &node, const Value &in, const Value &weights, const Value &out, int channels,
                                 const std::string &rounding, bool product_in_float) {
    const std::vector<float> &w = weights.quantization.scale;
    const size_t count = w.size();
    if (count != 1 && static_cast<int>(count) != channels)
        mismatch(node, fmt::format("{} weight scales for {} output channels", count, channels));
    const float a = scale_of(node, in), c = scale_of(node, out);
    ChannelScales scales;
    for (int k = 0; k < channels; k++) {
        const float b = w[count == 1 ? 0 : k];
        if (rounding == "rne_f32") {
            const float product = a * b;
            scales.scale.push_back(product / c);
            continue;
        }
        const double product = product_in_float && count == 1 ? static_cast<double>(a * b) : static_cast<double>(a) * static_cast<double>(b);
        const FixedPoint f = fixed_point(product / static_cast<double>(c));
        scales.multiplier.push_back(f.multiplier);
        scales.shift.push_back(f.shift);
    }
    return scales;
}

ActivationRange real_range(const Node &node, const Value &out, double low, double high) {
    if (!is_quantized(out)) return {low, high};
    const float scale = scale_of(node, out);
    const double zero = zero_point_of(node, out);
    const auto quantized = [&](double real) { return zero + std::round(static_cast<float>(real) / scale); };
    ActivationRange range = type_range(out);
    if (!std::isinf(low)) range.lowest = std::max(range.lowest, quantized(low));
    if (!std::isinf(high)) range.highest = std::min(range.highest, quantized(high));
    return range;
}

ActivationRange activation_range(const Node &node, const Value &out) {
    const std::string name = node.text("activation", "none");
    for (const ActivationRow &row : activations)
        if (row.name == name) return real_range(node, out, row.low, row.high);
    raise(Diag::graph_attribute, {.stage = "graph", .node = node.name}, "activation", node.op);
}

std::string number(double x) { return fmt::format("{}", x); }

void set_range(std::map<std::string, std::string> &params, const ActivationRange &range) {
    if (!std::isinf(range.lowest)) params["out_min"] = number(range.lowest);
    if (!std::isinf(range.highest)) params["out_max"] = number(range.highest);
}

int64_t float_bits(float x) { return std::bit_cast<uint32_t>(x); }

}  // namespace emulsion::graph
