// Storage that each run of the program fills once: no later write can disturb a reader, so the writer may run far ahead.
//
//   for n { for k { load s[k*64 .. +64], nothing when n > 0     contract s[k*64 .. +64] } }
//
// Halide's sliding window leaves such loads for a stage that is stored outside loops which do not move it.
#pragma once
#include "npu_backend/ir/tile_ir.h"

#include <vector>

namespace emulsion {

/// True if `operation`, inside `loops` (outermost first), writes each element of `buffer` at most once through `written`: every
/// loop either moves it to elements of its own, or leaves its domain empty after the first turn.
bool writes_once(const ir::TileOp &operation, const ir::Operand &written, const ir::Buffer &buffer,
                 const std::vector<const ir::Node *> &loops);

}  // namespace emulsion
