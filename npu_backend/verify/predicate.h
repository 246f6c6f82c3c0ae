// Store predicates that need no data: arithmetic on indices, scalars and constants, evaluated at every point.
#pragma once
#include "npu_backend/verify/operation.h"

#include <optional>

namespace emulsion::verifier {

class Predicate {
public:
    /// No result: the value depends on data, or on an operation the verifier does not evaluate.
    static std::optional<Predicate> make(const MicroProgram &micro, uint16_t value);

    bool holds(const Index &index, const Registers &registers);

private:
    std::vector<MicroOp> ops_;  ///< operands renumbered to positions in ops_
    std::vector<int64_t> values_;
};

}  // namespace emulsion::verifier
