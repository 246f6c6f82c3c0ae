// Tiling of an output for the NPU: each dimension is split by its tile's size, tails are clipped tiles.
#pragma once
#include "dsl/emulsion.h"

#include <vector>

namespace emulsion::generators {

struct Tiling {
    std::vector<Halide::Var> outer;  ///< the tile loops, innermost first
    std::vector<Halide::Var> inner;  ///< the loops inside a tile, one per dimension
    Halide::LoopLevel tile;          ///< inside all tile loops: where stages of a tile are computed
    Halide::LoopLevel around;        ///< outside all tile loops: where rings of slots are allocated
};

/// Splits dimension d of `out` by sizes[d]; 0 leaves the dimension whole, inside the tile. Each output byte is written once
/// (TailStrategy::GuardWithIf). One dimension at least must be split. `depth`: tiles that may wait for their store.
Tiling tile_output(Halide::Func out, const std::vector<int> &sizes, int depth = 2,
                   std::source_location at = std::source_location::current());

/// Tiles of `size` elements of dimension 0 and one of every other: for element-wise operators on any rank.
Tiling tile_rows(Halide::Func out, int size, int depth = 2, std::source_location at = std::source_location::current());

/// stage_in at the tile, in `depth` slots.
Halide::Func stage_tile(Halide::Func source, Halide::Func consumer, const Tiling &tiling, int depth = 2,
                        std::source_location at = std::source_location::current());

}  // namespace emulsion::generators
