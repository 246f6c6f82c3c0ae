// The table of micro-ops: from a micro-program to the functions that compute it.
#pragma once
#include "runtime/emulator/micro_ops/block.h"

namespace emulsion::micro {

/// One function per micro-op of `d`. Raises EM510 for operands that are missing, come later or have other types than the
/// micro-op takes, EM517 for an operation that does not exist on its types.
std::vector<LaneFunction> bind_program(const Dispatched &d, const Program &program);

}  // namespace emulsion::micro
