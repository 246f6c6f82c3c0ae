// The meaning of each tile instruction: one function a row of the instruction table, in insns/<name>.cpp. The domain of the
// dispatched instruction is not empty.
#pragma once
#include "runtime/emulator/control.h"
#include "runtime/emulator/memory.h"

namespace emulsion {

using Execute = void (*)(const Dispatched &d, Memory &m);

/// A row of form `tile` without a function does not link. Null for control and sync rows.
Execute semantics_of(Opcode op);

/// Raises EM518 unless `d` has `count` operands.
void require_operands(const Dispatched &d, const Memory &m, size_t count);

/// Every element of operand k = the low bytes of `bits`.
void fill_operand(const Dispatched &d, Memory &m, size_t k, uint64_t bits);

}  // namespace emulsion
