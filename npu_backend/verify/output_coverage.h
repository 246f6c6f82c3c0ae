// Rule 7: the bytes of an output that the program must write.
#pragma once
#include "npu_backend/verify/runs.h"
#include "npu_backend/verify/verify.h"
#include "runtime/program/program.h"

#include <span>

namespace emulsion::verifier {

/// written: bytes of output `region`. If `memory` says, or the arguments give extent and stride of every dimension, the output's
/// bytes are those of its elements, else all of `memory`. Raises EM4xx for a byte that is missing or too much.
void check_coverage(const Program &program, int region, const RegionExtent &memory, std::span<const int64_t> arguments,
                    const Runs &written);

}  // namespace emulsion::verifier
