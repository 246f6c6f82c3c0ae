// Orders operations of different queues with tokens, from what they read and write.
//
//   before   for ko { load a   contract acc, a }      after   for ko { load a      wait t1 signal t0        t0 = 0
//            drain acc                                                  contract    wait t0 signal t1 }      t1 = 2 (a has two slots)
//                                                             sync MX signal t2
//                                                             drain acc   wait t2
//
// For each pair of conflicting accesses to a buffer by two queues, in the block where their paths part:
//   forward   the earlier subtree signals after itself, the later one waits before itself
//   backward  if a loop encloses the block, the later subtree's last use of a slot signals, and the earlier one waits for the
//             signal `distance` turns back: the number of ring slots, 1 for storage that outlives the loop. Initial count = distance.
// Signals and waits sit beside conditions and loops, never inside them, so counts balance whatever is executed. Program order
// satisfies every wait, so no token can deadlock.
// Needs     the tree of operations; addresses do not matter, as no two buffers share bytes.
// Refuses   programs that need more tokens than the machine has (EM3xx).
#pragma once
#include "npu_backend/ir/tile_ir.h"

namespace emulsion {

[[nodiscard]] ir::TileProgram assign_tokens(ir::TileProgram program);

}  // namespace emulsion
