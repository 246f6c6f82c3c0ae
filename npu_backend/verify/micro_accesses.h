// What a micro-program does to its streams, once for all points: byte patterns around the point's address.
#pragma once
#include "npu_backend/verify/control_value.h"
#include "npu_backend/verify/runs.h"

#include <vector>

namespace emulsion::verifier {

/// A load or store whose index and predicate depend on indices, scalars and constants only, so its points are known.
struct ControlledAccess {
    ByteRange bytes;                        ///< around the point's address plus the index
    std::optional<ControlValue> index;      ///< bytes; none: 0
    std::optional<ControlValue> predicate;  ///< none: always
};

/// Accesses to one stream at one point, relative to the point's address.
struct PointAccesses {
    Runs read;     ///< loads; indexed loads: the whole window
    Runs written;  ///< stores without predicate
    Runs maybe;    ///< stores whose predicate depends on data; data-indexed stores: the whole window
    std::vector<ControlledAccess> stores;
    Runs sure_read;  ///< `read` without the windows of `loads`
    std::vector<ControlledAccess> loads;
};

/// One entry per stream of `insn` (run or drain).
std::vector<PointAccesses> point_accesses(const Program &program, const Instruction &insn);

/// The bytes that a controlled access of `stream` touches over the domain of `op`, which is not empty. Raises EM4xx for
/// domains too large to walk.
Runs visited(const Program &program, const Dispatched &op, const ResolvedStream &stream,
             const ControlledAccess &access);

}  // namespace emulsion::verifier
