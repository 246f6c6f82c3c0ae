// Scalar references of softmax and layer_norm, over dimension 0 of (i, j).
#pragma once
#include "generators/reference/tensor.h"

#include <algorithm>
#include <cmath>

namespace emulsion::reference {

/// Relative, float32.
inline constexpr double softmax_tolerance = 2e-6;
/// In units of the integer output, against the exact value: gemmlowp's fixed point stays within it.
inline constexpr double softmax_integer_tolerance = 1.0;
/// Relative to 1 + |value|, float32.
inline constexpr double layer_norm_tolerance = 1e-5;

inline Tensor softmax(const Tensor &in, double beta) {
    Tensor out(in.extents);
    for (int j = 0; j < in.extents[1]; j++) {
        double largest = in({0, j}), sum = 0;
        for (int i = 0; i < in.extents[0]; i++) largest = std::max(largest, in({i, j}));
        for (int i = 0; i < in.extents[0]; i++) sum += std::exp(beta * (in({i, j}) - largest));
        for (int i = 0; i < in.extents[0]; i++) out({i, j}) = std::exp(beta * (in({i, j}) - largest)) / sum;
    }
    return out;
}

inline Tensor layer_norm(const Tensor &in, const Tensor &gamma, const Tensor &beta, double epsilon) {
    Tensor out(in.extents);
    const int n = in.extents[0];
    for (int j = 0; j < in.extents[1]; j++) {
        double mean = 0, variance = 0;
        for (int i = 0; i < n; i++) mean += in({i, j}) / n;
        for (int i = 0; i < n; i++) variance += (in({i, j}) - mean) * (in({i, j}) - mean) / n;
        for (int i = 0; i < n; i++) out({i, j}) = (in({i, j}) - mean) / std::sqrt(variance + epsilon) * gamma({i}) + beta({i});
    }
    return out;
}

}  // namespace emulsion::reference
