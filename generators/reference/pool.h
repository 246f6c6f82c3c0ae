// Scalar references of max_pool, average_pool and global_average_pool. Layouts as in the generators.
#pragma once
#include "generators/reference/conv2d.h"

#include <cmath>

namespace emulsion::reference {

/// Relative, for float32 averages.
inline constexpr double pool_tolerance = 1e-6;

inline Tensor max_pool(const Tensor &in, const Window &w, const Index &out_extents, double lowest) {
    Tensor out(out_extents);
    for_each(out_extents, [&](const Index &o) {
        out(o) = lowest;
        for_each_tap(w, [&](int kx, int ky) {
            out(o) = std::max(out(o), in.at({o[0], w.in_x(o[1], kx), w.in_y(o[2], ky), o[3]}, lowest));
        });
    });
    return out;
}

inline Tensor average_pool(const Tensor &in, const Window &w, const Index &out_extents, bool floating) {
    Tensor out(out_extents);
    for_each(out_extents, [&](const Index &o) {
        double sum = 0;
        int count = 0;
        for_each_tap(w, [&](int kx, int ky) {
            const Index i{o[0], w.in_x(o[1], kx), w.in_y(o[2], ky), o[3]};
            if (!in.holds(i)) return;
            sum += in(i);
            count++;
        });
        // std::round: ties away from zero; sum / count has no other double rounding that matters below 2^26.
        out(o) = floating ? sum / count : std::round(sum / count);
    });
    return out;
}

inline Tensor global_average_pool(const Tensor &in, bool floating) {
    const Window whole{.kernel_x = in.extents[1], .kernel_y = in.extents[2]};
    return average_pool(in, whole, {in.extents[0], 1, 1, in.extents[3]}, floating);
}

}  // namespace emulsion::reference
