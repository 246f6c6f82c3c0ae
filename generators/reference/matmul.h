// Scalar references of matrix products: matmul, batch_matmul, fully_connected. a_at(k, m, i), b_at(n, k, i) hide the layouts.
#pragma once
#include "generators/reference/output_stage.h"
#include "generators/reference/tensor.h"

namespace emulsion::reference {

/// float32 accumulation may differ by this factor of the sum of magnitudes.
inline constexpr double matmul_tolerance = 1e-6;

/// out(n, m, i); a (k, m, i); b (n, k, i), or (k, n, i) with transposed.
inline Tensor matmul(const Tensor &a, const Tensor &b, double a_zero, double b_zero, bool transposed, const OutputStage &finish) {
    Tensor out({b.extents[transposed ? 1 : 0], a.extents[1], a.extents[2]});
    for_each(out.extents, [&](const Index &o) {
        double acc = 0;
        for (int k = 0; k < a.extents[0]; k++) {
            const double y = transposed ? b({k, o[0], o[2]}) : b({o[0], k, o[2]});
            acc += (a({k, o[1], o[2]}) - a_zero) * (y - b_zero);
        }
        out(o) = finish(acc, o[0]);
    });
    return out;
}

}  // namespace emulsion::reference
