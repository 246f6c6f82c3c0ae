// Tile sizes of picture kernels for a machine.
#pragma once
#include "runtime/isa/target_desc.h"

namespace emulsion::generators {

struct PictureTile {
    int x = 1920, y = 16;  ///< pixels; long rows make long transfers
};

/// What the tiles of one iteration need: `pixel_bytes` for each pixel, ring slots included, with `halo` more pixels on each side.
struct PictureNeed {
    int halo = 0;
    int pixel_bytes = 0;
};

/// 1920 x 16 pixels or, where three quarters of the scratchpad hold less, half the rows down to 4, then half the columns.
/// Sizes that are not 0 in `wanted` are kept.
PictureTile picture_tile(const TargetDesc &machine, const PictureTile &wanted, const PictureNeed &need);

}  // namespace emulsion::generators
