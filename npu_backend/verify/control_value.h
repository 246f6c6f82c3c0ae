// Micro-program values that need no data: arithmetic on indices, scalars and constants, evaluated point by point. They
// make the predicates of guarded stores and the indices of clamped reads exact.
#pragma once
#include "npu_backend/verify/operation.h"

#include <optional>

namespace emulsion::verifier {

class ControlValue {
public:
    /// No result: the value depends on data, or on an operation the verifier does not evaluate.
    static std::optional<ControlValue> make(const MicroProgram &micro, uint16_t value);

    int64_t at(const Index &index, const Registers &registers);

private:
    std::vector<MicroOp> ops_;  ///< operands renumbered to positions in ops_
    std::vector<int64_t> values_;
};

}  // namespace emulsion::verifier
