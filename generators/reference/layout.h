// Scalar references of operators that only move elements: pad, transpose, concat.
#pragma once
#include "generators/reference/tensor.h"

#include <string_view>

namespace emulsion::reference {

/// The coordinate that padding mode `mode` reads for x outside [0, n); -1: the constant.
inline int padded_coordinate(int x, int n, std::string_view mode) {
    if (x >= 0 && x < n) return x;
    if (mode == "constant") return -1;
    if (mode == "edge") return x < 0 ? 0 : n - 1;
    if (mode == "repeat") return ((x % n) + n) % n;
    const int period = mode == "reflect" ? 2 * (n - 1) : 2 * n;
    const int inside = ((x % period) + period) % period;
    if (inside < n) return inside;
    return mode == "reflect" ? period - inside : period - 1 - inside;
}

inline Tensor pad(const Tensor &in, const Index &before, const Index &out_extents, std::string_view mode, double value) {
    Tensor out(out_extents);
    for_each(out_extents, [&](const Index &o) {
        Index i(o.size());
        for (size_t d = 0; d < o.size(); d++) i[d] = padded_coordinate(o[d] - before[d], in.extents[d], mode);
        out(o) = in.at(i, value);
    });
    return out;
}

/// Dimension d of the result is dimension from[d] of `in`.
inline Tensor transpose(const Tensor &in, const Index &from) {
    Index extents(from.size());
    for (size_t d = 0; d < from.size(); d++) extents[d] = in.extents[from[d]];
    Tensor out(extents);
    for_each(extents, [&](const Index &o) {
        Index i(o.size());
        for (size_t d = 0; d < o.size(); d++) i[from[d]] = o[d];
        out(o) = in(i);
    });
    return out;
}

inline Tensor concat(const std::vector<Tensor> &inputs, int axis) {
    Index extents = inputs[0].extents;
    extents[axis] = 0;
    for (const Tensor &t : inputs) extents[axis] += t.extents[axis];
    Tensor out(extents);
    int start = 0;
    for (const Tensor &t : inputs) {
        for_each(t.extents, [&](Index i) {
            const double x = t(i);
            i[axis] += start;
            out(i) = x;
        });
        start += t.extents[axis];
    }
    return out;
}

}  // namespace emulsion::reference
