// What picture kernels share: planes of bytes, and their tiling.
//
//   plane    uint8 (x, y), x innermost
//   colour   uint8 (x, y, c): three planes, one after the other
#pragma once
#include "generators/image/picture_tile.h"
#include "generators/tile.h"

namespace emulsion::generators {

template<typename T>
class Picture : public emulsion::Generator<T> {
public:
    Halide::GeneratorParam<int> tile_x{"tile_x", 0};  ///< 0: from the machine
    Halide::GeneratorParam<int> tile_y{"tile_y", 0};
    Halide::GeneratorParam<int> depth{"depth", 2};

protected:
    Halide::Var x{"x"}, y{"y"}, c{"c"};

    /// Tiles `out` in stripes of rows and tiles of x; colours stay whole inside a tile. `bytes`: of one pixel in the stages
    /// that have one slot; `ring_bytes`: in those that have `depth`.
    Tiling tile_picture(Halide::Func out, int halo, int bytes, int ring_bytes,
                        std::source_location at = std::source_location::current()) {
        const PictureTile tile = picture_tile(this->machine(), {tile_x, tile_y}, {halo, bytes + depth * ring_bytes});
        std::vector<int> sizes(out.dimensions(), 0);
        sizes[0] = tile.x;
        sizes[1] = tile.y;
        return tile_output(out, sizes, depth, at);
    }

    /// `padded`, a boundary Func, is loaded per tile.
    void stage_padded(Halide::Func padded, const Tiling &tiling, std::source_location at = std::source_location::current()) {
        compute_in_scratchpad(padded, tiling.tile, at);
        double_buffer(padded, tiling.around, depth, at);
    }
};

}  // namespace emulsion::generators
