// A stitched group as one Halide pipeline: each part's generator is built by itself, its first input becomes a call of the part before,
// its parameters get the part's number, and the anchor schedules the whole.
//
//   before   p0: out(c, x, y, b) = finish(acc(…))          p1: in_im(…) = image p1.a(…)    out(…) = in_im(…) + b_im(…)
//   after    p1: in_im(…) = p0.out(…)
#pragma once
#include "npu_backend/instantiate.h"

namespace emulsion {

/// Raises EM2xx as instantiate does, EM218 for a part that cannot take its role, EM219 for parts that do not fit together.
Instance stitch(const CompileRequest &request, const TargetDesc &target);

}  // namespace emulsion
