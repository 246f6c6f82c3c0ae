// Scalar references of resize_nearest and resize_bilinear. Layouts as in the generators.
#pragma once
#include "generators/reference/tensor.h"

#include <algorithm>
#include <cmath>

namespace emulsion::reference {

struct ResizeMode {
    bool half_pixel_centers = false, align_corners = false;
};

/// Relative to 1 + the largest element, for floats.
inline constexpr double resize_tolerance = 5e-4;

/// Exact position num / den, floored (align_corners: rounded, ties up).
inline int nearest(int x, int in, int out, const ResizeMode &m) {
    const int64_t wide = x;
    int64_t at = wide * in / out;
    if (m.half_pixel_centers) at = (2 * wide + 1) * in / (2 * out);
    if (m.align_corners && out > 1) at = (2 * wide * (in - 1) + (out - 1)) / (2 * (out - 1));
    return static_cast<int>(std::min<int64_t>(at, in - 1));
}

inline Tensor resize_nearest(const Tensor &in, int out_x, int out_y, const ResizeMode &m) {
    Tensor out({in.extents[0], out_x, out_y, in.extents[3]});
    for_each(out.extents, [&](const Index &o) {
        out(o) = in({o[0], nearest(o[1], in.extents[1], out_x, m), nearest(o[2], in.extents[2], out_y, m), o[3]});
    });
    return out;
}

/// One axis of TFLite's ResizeBilinearInteger: ComputeInterpolationValuesInteger.
struct IntegerAxis {
    int lower, upper;
    int64_t weight;  ///< of upper, in 1/1024
    IntegerAxis(int x, int in, int out, const ResizeMode &m) {
        const int scale = m.align_corners && out > 1 ? (1024 * (in - 1) + (out - 1) / 2) / (out - 1) : (1024 * in + out / 2) / out;
        const int scaled = m.half_pixel_centers ? x * scale + scale / 2 - 512 : x * scale;
        lower = std::min(std::max(scaled / 1024, 0), in - 1);
        upper = std::min((scaled + 1023) / 1024, in - 1);
        weight = scaled - 1024 * lower;
    }
};

inline Tensor resize_bilinear_integer(const Tensor &in, int out_x, int out_y, const ResizeMode &m) {
    Tensor out({in.extents[0], out_x, out_y, in.extents[3]});
    for_each(out.extents, [&](const Index &o) {
        const IntegerAxis x(o[1], in.extents[1], out_x, m), y(o[2], in.extents[2], out_y, m);
        const auto element = [&](int u, int v) { return static_cast<int64_t>(in({o[0], u, v, o[3]})); };
        const int64_t total = element(x.lower, y.lower) * (1024 - x.weight) * (1024 - y.weight) +
                              element(x.upper, y.lower) * x.weight * (1024 - y.weight) +
                              element(x.lower, y.upper) * (1024 - x.weight) * y.weight + element(x.upper, y.upper) * x.weight * y.weight;
        out(o) = static_cast<double>((total + (total > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
    });
    return out;
}

inline double position(int x, int in, int out, const ResizeMode &m) {
    if (m.align_corners && out > 1) return static_cast<double>(x) * (in - 1) / (out - 1);
    const double scale = static_cast<double>(in) / out;
    return m.half_pixel_centers ? (x + 0.5) * scale - 0.5 : x * scale;
}

inline Tensor resize_bilinear_float(const Tensor &in, int out_x, int out_y, const ResizeMode &m) {
    Tensor out({in.extents[0], out_x, out_y, in.extents[3]});
    for_each(out.extents, [&](const Index &o) {
        const double px = std::clamp<double>(position(o[1], in.extents[1], out_x, m), 0, in.extents[1] - 1);
        const double py = std::clamp<double>(position(o[2], in.extents[2], out_y, m), 0, in.extents[2] - 1);
        const int x0 = static_cast<int>(px), y0 = static_cast<int>(py);
        const int x1 = std::min(x0 + 1, in.extents[1] - 1), y1 = std::min(y0 + 1, in.extents[2] - 1);
        const double fx = px - x0, fy = py - y0;
        const auto element = [&](int u, int v) { return in({o[0], u, v, o[3]}); };
        out(o) = (element(x0, y0) * (1 - fx) + element(x1, y0) * fx) * (1 - fy) + (element(x0, y1) * (1 - fx) + element(x1, y1) * fx) * fy;
    });
    return out;
}

}  // namespace emulsion::reference
