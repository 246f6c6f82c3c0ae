// The meaning of each tile instruction: one function a row of the instruction table, in insns/<name>.cpp.
#pragma once
#include "runtime/emulator/control.h"
#include "runtime/emulator/memory.h"

namespace emulsion {

using Execute = void (*)(const Dispatched &d, Memory &m);

/// A row of form `tile` without a function here does not link. Null for control and sync rows.
Execute semantics_of(Opcode op);

/// Raises EM518 unless `d` has `count` operands.
void require_operands(const Dispatched &d, const Memory &m, size_t count);

}  // namespace emulsion
