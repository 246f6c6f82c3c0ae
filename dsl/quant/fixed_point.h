// Real scales as integers.
#pragma once
#include <cstdint>

namespace emulsion {

/// multiplier / 2^shift, the integer form of a positive real scale; multiplier in [2^30, 2^31) or 0.
struct FixedPoint {
    int32_t multiplier = 0;
    int32_t shift = 0;
};

/// The nearest FixedPoint of `scale`; shift in 0..62 (smaller scales become 0). Raises EM202 for scales that are negative,
/// not finite, or 2^31 and above. Source: QuantizeMultiplier, tensorflow/lite/kernels/internal/quantization_util.cc; its shift is
/// 31 - ours.
FixedPoint fixed_point(double scale);

}  // namespace emulsion
