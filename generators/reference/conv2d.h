// Scalar references of convolutions: conv2d (with groups), depthwise_conv2d, transpose_conv2d. Layouts as in the generators.
#pragma once
#include "generators/reference/output_stage.h"
#include "generators/reference/tensor.h"

namespace emulsion::reference {

struct Window {
    int kernel_x = 1, kernel_y = 1, stride_x = 1, stride_y = 1, dilation_x = 1, dilation_y = 1, pad_x = 0, pad_y = 0;
    int in_x(int x, int tap) const { return x * stride_x + tap * dilation_x - pad_x; }
    int in_y(int y, int tap) const { return y * stride_y + tap * dilation_y - pad_y; }
};

/// float32 accumulation may differ by this factor of the sum of magnitudes.
inline constexpr double conv2d_tolerance = 1e-6;

inline void for_each_tap(const Window &w, const std::function<void(int, int)> &f) {
    for_each({w.kernel_x, w.kernel_y}, [&](const Index &t) { f(t[0], t[1]); });
}

/// in (c, x, y, b), weights (co, ci, kx, ky); out's extents are given. Channels are split evenly over `groups`.
inline Tensor conv2d(const Tensor &in, const Tensor &weights, const Window &w, int groups, const Index &out_extents, double in_zero,
                     double weight_zero, const OutputStage &finish) {
    Tensor out(out_extents);
    const int group_out = out_extents[0] / groups, group_in = in.extents[0] / groups;
    for_each(out_extents, [&](const Index &o) {
        double acc = 0;
        for_each_tap(w, [&](int kx, int ky) {
            for (int ci = 0; ci < group_in; ci++) {
                const int c = o[0] / group_out * group_in + ci;
                const double x = in.at({c, w.in_x(o[1], kx), w.in_y(o[2], ky), o[3]}, in_zero) - in_zero;
                acc += x * (weights({o[0], ci, kx, ky}) - weight_zero);
            }
        });
        out(o) = finish(acc, o[0]);
    });
    return out;
}

/// in (c, x, y, b), weights (co, kx, ky).
inline Tensor depthwise_conv2d(const Tensor &in, const Tensor &weights, const Window &w, int multiplier, const Index &out_extents,
                               double in_zero, double weight_zero, const OutputStage &finish) {
    Tensor out(out_extents);
    for_each(out_extents, [&](const Index &o) {
        double acc = 0;
        for_each_tap(w, [&](int kx, int ky) {
            const double x = in.at({o[0] / multiplier, w.in_x(o[1], kx), w.in_y(o[2], ky), o[3]}, in_zero) - in_zero;
            acc += x * (weights({o[0], kx, ky}) - weight_zero);
        });
        out(o) = finish(acc, o[0]);
    });
    return out;
}

/// in (c, x, y, b), weights (co, ci, kx, ky): every input element is scattered over its window, as TFLite's kernel does.
inline Tensor transpose_conv2d(const Tensor &in, const Tensor &weights, const Window &w, const Index &out_extents, double in_zero,
                               double weight_zero, const OutputStage &finish) {
    Tensor acc(out_extents), out(out_extents);
    for_each(in.extents, [&](const Index &i) {
        for_each_tap(w, [&](int kx, int ky) {
            for (int co = 0; co < out_extents[0]; co++) {
                const Index o{co, i[1] * w.stride_x + kx - w.pad_x, i[2] * w.stride_y + ky - w.pad_y, i[3]};
                if (acc.holds(o)) acc(o) += (in(i) - in_zero) * (weights({co, i[0], kx, ky}) - weight_zero);
            }
        });
    });
    for_each(out_extents, [&](const Index &o) { out(o) = finish(acc(o), o[0]); });
    return out;
}

}  // namespace emulsion::reference
