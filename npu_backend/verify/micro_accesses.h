// What a micro-program does to its streams, once for all points: byte patterns around the point's address.
#pragma once
#include "npu_backend/verify/runs.h"
#include "runtime/program/program.h"

#include <vector>

namespace emulsion::verifier {

/// A store whose predicate depends on indices, scalars and constants only, so its points are known.
struct ControlledStore {
    ByteRange bytes;               ///< around the point's address
    uint16_t predicate = 0;  ///< micro-op
};

/// Accesses to one stream at one point, relative to the point's address.
struct PointAccesses {
    Runs read;     ///< loads; data-indexed loads: the whole window
    Runs written;  ///< stores without predicate
    Runs maybe;    ///< stores with a data-dependent predicate; data-indexed stores: the whole window
    std::vector<ControlledStore> controlled;
};

/// One entry per stream of `insn` (run or drain).
std::vector<PointAccesses> point_accesses(const Program &program, const Instruction &insn);

}  // namespace emulsion::verifier
