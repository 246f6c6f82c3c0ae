// Element-wise functions of 8-bit quantised tensors as tables of 256 entries, each by the formula of TFLite's reference kernel.
#pragma once
#include "graph/ops/quantized.h"

#include <array>
#include <cstdint>

namespace emulsion::graph {

/// Scales and zero points on both sides of a function, and its parameters.
struct TableFunction {
    float in_scale = 1, out_scale = 1;
    int32_t in_zero = 0, out_zero = 0;
    bool is_signed = true;  ///< int8, else uint8
    float alpha = 0, beta = 0, gamma = 0;

    int lowest() const { return is_signed ? -128 : 0; }
};

/// Entry v: the result for input lowest + v. Raises EM710 for a function without a table.
std::array<int32_t, 256> unary_table(const Node &node, const std::string &function, const TableFunction &t);

/// Input rescaled to the output, clamped to the real range [low, high]. Source: activations.cc QuantizedReluX.
std::array<int32_t, 256> clamp_table(const Node &node, const Value &out, const TableFunction &t, double low, double high);

/// x < 0 scaled by `slope` as well. Source: leaky_relu.h QuantizeLeakyRelu; the factors are float32 products.
std::array<int32_t, 256> leaky_table(const TableFunction &t, float slope);

}  // namespace emulsion::graph
