// Scalar references of element-wise operators.
#pragma once
#include "generators/reference/requantize.h"
#include "generators/reference/tensor.h"

#include <algorithm>
#include <cmath>

namespace emulsion::reference {

/// multiplier / 2^shift.
struct Scale {
    int32_t multiplier = 0;
    int shift = 0;
};

struct ElementwiseParameters {
    int a_zero = 0, b_zero = 0, out_zero = 0;
    Scale a = {}, b = {}, out = {};
    int lowest = -128, highest = 127;
};

/// f(a, b) with extents of 1 broadcast.
inline Tensor broadcast(const Tensor &a, const Tensor &b, const std::function<double(double, double)> &f) {
    Index extents(a.extents.size());
    for (size_t d = 0; d < extents.size(); d++) extents[d] = std::max(a.extents[d], b.extents[d]);
    const auto pick = [](const Tensor &t, Index i) {
        for (size_t d = 0; d < i.size(); d++)
            if (t.extents[d] == 1) i[d] = 0;
        return t(i);
    };
    Tensor out(extents);
    for_each(extents, [&](const Index &i) { out(i) = f(pick(a, i), pick(b, i)); });
    return out;
}

/// TFLite reference ADD (sign 1) and SUB (sign -1) of 8-bit tensors.
inline double quantized_sum(double a, double b, int sign, const ElementwiseParameters &p) {
    const auto scaled = [](double q, int zero, const Scale &s) {
        return Requantize::at((static_cast<int32_t>(q) - zero) * (1 << 20), s.multiplier, s.shift, "double");
    };
    const int32_t raw = scaled(a, p.a_zero, p.a) + sign * scaled(b, p.b_zero, p.b);
    return std::clamp(Requantize::at(raw, p.out.multiplier, p.out.shift, "double") + p.out_zero, p.lowest, p.highest);
}

/// TFLite reference MUL of 8-bit tensors.
inline double quantized_product(double a, double b, const ElementwiseParameters &p) {
    const int32_t product = (static_cast<int32_t>(a) - p.a_zero) * (static_cast<int32_t>(b) - p.b_zero);
    return std::clamp(Requantize::at(product, p.out.multiplier, p.out.shift, "double") + p.out_zero, p.lowest, p.highest);
}

/// saturate(round(x / scale) + zero); ties away from zero or to even.
inline double quantize(double x, float scale, int zero, bool away, double lowest, double highest) {
    const float ratio = static_cast<float>(x) / scale;
    return std::clamp<double>((away ? std::round(ratio) : std::nearbyint(ratio)) + zero, lowest, highest);
}

}  // namespace emulsion::reference
