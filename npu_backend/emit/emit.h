// Writes the instructions of a planned program. Loops stay loops; scalars become control arithmetic into registers that are
// sampled when an operation is dispatched, so temporaries live for one operation only.
//
//   before   for ko in 0..4 { load a_t[slot] <- a{ko*64} wait t1 signal t0 … }
//   after    loop r2, 4
//              load  a_t + r3*4096, a + r2*64     wait t1 signal t0
#pragma once
#include "npu_backend/ir/tile_ir.h"
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

namespace emulsion {

/// Raises EM3xx when a table or the register file is too small for the program.
[[nodiscard]] Program emit(const ir::TileProgram &tiles, const TargetDesc &target);

}  // namespace emulsion
