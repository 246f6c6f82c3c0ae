#include "generators/image/picture_tile.h"

namespace emulsion::generators {

PictureTile picture_tile(const TargetDesc &machine, const PictureTile &wanted, const PictureNeed &need) {
    PictureTile tile;
    if (wanted.x > 0) tile.x = wanted.x;
    if (wanted.y > 0) tile.y = wanted.y;
    const auto fits = [&] {
        const uint64_t pixels = uint64_t(tile.x + 2 * need.halo) * (tile.y + 2 * need.halo);
        return pixels * need.pixel_bytes <= machine.spm_bytes / 4 * 3;
    };
    while (!fits()) {
        if (wanted.y == 0 && tile.y > 4)
            tile.y /= 2;
        else if (wanted.x == 0 && tile.x > 1)
            tile.x /= 2;
        else
            break;  // the caller's own sizes: placement says what does not fit
    }
    return tile;
}

}  // namespace emulsion::generators
