// Tile sizes of sliding-window operators for a machine.
#pragma once
#include "runtime/isa/target_desc.h"

#include <functional>

namespace emulsion::generators {

struct WindowTiles {
    int co = 0;  ///< output channels of a tile
    int x = 0, y = 0;
    int ci = 0;  ///< input channels staged at a time
};

/// What a tile needs [bytes], one slot of each.
struct WindowBytes {
    int64_t scratchpad = 0, accumulator = 0;
};

/// The largest tiles, from a generous start downward, of which two slots fit the accumulator and three quarters of the
/// scratchpad (the rest is for parameters). Sizes that are not 0 in `wanted` are kept.
WindowTiles window_tiles(const TargetDesc &machine, const WindowTiles &wanted,
                         const std::function<WindowBytes(const WindowTiles &)> &bytes);

}  // namespace emulsion::generators
