// Which source coordinates a boundary fill reads.
#pragma once
#include "npu_backend/verify/runs.h"
#include "runtime/isa/stream.h"

namespace emulsion::verifier {

/// Coordinates read by domain indices 0 .. extent-1 whose own coordinates start at `origin`, as intervals. Empty:
/// nothing is read (constant mode outside the box). lo < hi unless the mode is constant.
///   constant [2, 6), origin 0, extent 4   ->   [2, 4)
Runs coordinates_read(FillMode mode, int64_t origin, int64_t extent, int64_t lo, int64_t hi);

}  // namespace emulsion::verifier
