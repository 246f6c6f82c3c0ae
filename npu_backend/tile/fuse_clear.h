// Drops the zero-fill of an accumulator whose first contraction can overwrite instead.
//
//   before   clear acc [n, m]                        after   for ko { contract acc, a, b   overwrite when 0 == ko }
//            for ko { contract acc, a, b }
//
// Legal when the contraction's own loops visit exactly the elements that the clear visits, once per value of the reduction
// loops: then the turn in which every reduction loop is at 0 sees each element first.
#pragma once
#include "npu_backend/ir/tile_ir.h"

namespace emulsion {

[[nodiscard]] ir::TileProgram fuse_clear(ir::TileProgram program);

}  // namespace emulsion
