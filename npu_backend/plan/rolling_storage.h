// Rolling storage: rows stored modulo a fold factor, as fold_storage leaves them. How far may the writer run ahead?
//
//   for y { load s[(y + 3) % 8]   run out <- s[(y + 1) % 8], s[(y + 2) % 8], s[(y + 3) % 8] }
//     the write of turn y + 6 is the first to touch a row that turn y reads: distance 6
#pragma once
#include "npu_backend/ir/tile_ir.h"

#include <vector>

namespace emulsion {

/// An access inside a loop nest; `inner`: the loops between the loop asked about and the operation, outermost first.
struct RollingAccess {
    const ir::Operand *operand;
    std::vector<const ir::Node *> inner;
};

/// The least number of turns of `loop` after which `writer` touches a row that `reader` uses now; 1 when the accesses are not
/// both of the form (turn * step + offset) % fold.
int rolling_distance(const RollingAccess &writer, const RollingAccess &reader, const std::string &loop);

}  // namespace emulsion
