// Tile sizes of a matrix product for a machine.
#pragma once
#include "runtime/isa/target_desc.h"

namespace emulsion::generators {

struct MatmulTiles {
    int n = 0;  ///< output columns of a tile
    int m = 0;  ///< output rows of a tile
    int k = 0;  ///< reduced elements staged at a time
};

/// Bytes per element of the three matrices.
struct MatmulBytes {
    int a = 1, b = 1, out = 1;
};

/// Tiles that fit for any shape: two accumulator tiles in acc_bytes; two tiles of a, b and out in half of spm_bytes, which
/// leaves room for parameters. Sizes that are not 0 in `wanted` are kept.
MatmulTiles matmul_tiles(const TargetDesc &machine, const MatmulBytes &bytes, const MatmulTiles &wanted);

}  // namespace emulsion::generators
