// Tables that generators read, computed on the host in double precision or gemmlowp's fixed point.
#pragma once
#include <array>
#include <cstdint>
#include <functional>

namespace emulsion::generators {

/// For softmax of integers: entry d = exp(-d * scale) in Q0.31 as gemmlowp computes it, where scale = beta * in_scale.
/// Differences that TFLite leaves out (below diff_min) are 0. Source: tensorflow/lite/kernels/internal/reference/softmax.h.
std::array<int32_t, 256> softmax_table(double scale);

/// For activation: entry v = quantised f(real value of lowest + v). lowest: -128 for int8 (is_signed), 0 for uint8; results are
/// rounded with ties away from zero and saturated to the same type. Source: TFLite LUTPopulate.
std::array<int32_t, 256> activation_table(const std::function<float(float)> &f, bool is_signed, float in_scale, int in_zero,
                                          float out_scale, int out_zero);

}  // namespace emulsion::generators
