// Scans read what the same instruction wrote at an earlier point; this walks the points to see that it did.
#pragma once
#include "npu_backend/verify/micro_accesses.h"
#include "npu_backend/verify/operation.h"

#include <optional>

namespace emulsion::verifier {

/// unwritten: bytes of `space` that nobody wrote before the instruction. Returns the bytes that the instruction reads
/// before writing them itself, or nothing when its own writes come first everywhere.
std::optional<ByteRange> read_before_own_write(const Program &program, const Dispatched &op,
                                               const std::vector<PointAccesses> &accesses, Space space,
                                               const Runs &unwritten);

}  // namespace emulsion::verifier
