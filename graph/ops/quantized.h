// From the scales of a model to integer multipliers, as the frameworks compute them: in which precision each product and quotient is
// taken decides last bits.
#pragma once
#include "dsl/quant/fixed_point.h"
#include "graph/ops/operands.h"

#include <limits>

namespace emulsion::graph {

/// Integers with a scale.
bool is_quantized(const Value &v);
/// The scale and zero point of a tensor with one of each. Raise EM710 for a tensor without or with several scales.
float scale_of(const Node &node, const Value &v);
int32_t zero_point_of(const Node &node, const Value &v);
/// The one zero point that all channels share, 0 for plain integers and floats. Raises EM710 where channels differ.
int32_t common_zero_point(const Node &node, const Value &v);

/// Per channel: the factor from accumulator to output, as the output stage of dsl/quant/requantize.h takes it.
struct ChannelScales {
    std::vector<int32_t> multiplier, shift;  ///< empty for rne_f32
    std::vector<float> scale;                ///< rne_f32 only
};

/// Scales of a contraction for `channels` output channels.
///   TFLite, scales per channel (and per tensor for int8 and int16 convolutions): double(in) * double(weight) / double(out)
///   TFLite, one scale for uint8, fully connected and batched products (`product_in_float`): double(float(in * weight)) / double(out)
///   ONNX (rne_f32): float(in * weight) / out, all float32
/// Source: kernel_util.cc PopulateConvolutionQuantizationParams, GetQuantizedConvolutionMultipler; onnxruntime qlinearconv.cc.
ChannelScales contraction_scales(const Node &node, const Value &in, const Value &weights, const Value &out, int channels,
                                 const std::string &rounding, bool product_in_float);

/// Fused activation as bounds of the output: integers in the output's scale, within its type; reals for floats (infinite: no bound).
struct ActivationRange {
    double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
};
/// Source: kernel_util.cc CalculateActivationRangeQuantized: zero + round(real / scale) in float32, ties away. Raises EM706 for an unknown name.
ActivationRange activation_range(const Node &node, const Value &out);
/// [low, high] of real numbers in the same form.
ActivationRange real_range(const Node &node, const Value &out, double low, double high);

/// As generator parameters write numbers.
std::string number(double x);
/// Sets out_min and out_max where the range bounds anything.
void set_range(std::map<std::string, std::string> &params, const ActivationRange &range);

int64_t float_bits(float x);

}  // namespace emulsion::graph
