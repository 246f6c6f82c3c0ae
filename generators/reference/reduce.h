// Scalar reference of reduce: the plain value before any requantisation.
#pragma once
#include "generators/reference/tensor.h"

#include <algorithm>
#include <string_view>

namespace emulsion::reference {

/// Relative, for float32 sums and means of up to 10,000 elements.
inline constexpr double reduce_tolerance = 1e-5;

/// op: sum max min. Bit d of axes: dimension d is reduced. `zero` is subtracted from every element of a sum.
inline Tensor reduce(const Tensor &in, std::string_view op, int axes, double zero) {
    Index extents = in.extents;
    for (size_t d = 0; d < extents.size(); d++)
        if ((axes >> d) & 1) extents[d] = 1;
    Tensor out(extents);
    std::vector<bool> seen(out.count(), false);
    for_each(in.extents, [&](const Index &i) {
        Index o = i;
        for (size_t d = 0; d < o.size(); d++)
            if ((axes >> d) & 1) o[d] = 0;
        const bool first = !seen[out.offset(o)];
        seen[out.offset(o)] = true;
        const double x = op == "sum" ? in(i) - zero : in(i);
        double &y = out(o);
        y = first ? x : op == "sum" ? y + x : op == "max" ? std::max(y, x) : std::min(y, x);
    });
    return out;
}

}  // namespace emulsion::reference
