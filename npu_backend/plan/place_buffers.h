// Gives every scratchpad and accumulator buffer its addresses.
//
//   before   staged : spm i8[56, 8] ring 2        after   staged at 0x0000 slots 2 x 448
//
// Each buffer has bytes of its own: sharing bytes between buffers would add orderings, and with them stalls.
#pragma once
#include "npu_backend/ir/tile_ir.h"
#include "runtime/isa/target_desc.h"

namespace emulsion {

/// Raises EM3xx naming the largest contributors when a space is too small.
[[nodiscard]] ir::TileProgram place_buffers(ir::TileProgram program, const TargetDesc &target);

}  // namespace emulsion
