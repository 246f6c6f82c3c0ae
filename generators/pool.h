// What pooling operators share: shapes, the window and the tiling.
//
//   in, out  type, (c, x, y, b); a window never counts elements outside in; results are clamped to [out_min, out_max]
#pragma once
#include "generators/bounds.h"
#include "generators/tile.h"
#include "generators/window.h"
#include "generators/window_tiles.h"

namespace emulsion::generators {

template<typename T>
class Pool : public emulsion::Generator<T> {
public:
    Window window;
    Bounds bounds;
    Halide::GeneratorParam<Halide::Type> type{"type", Halide::Int(8)};
    Halide::GeneratorParam<int> tile_c{"tile_c", 0};  ///< 0: from the machine
    Halide::GeneratorParam<int> tile_x{"tile_x", 0};
    Halide::GeneratorParam<int> tile_y{"tile_y", 0};
    Halide::GeneratorParam<int> depth{"depth", 2};

    Halide::GeneratorInput<Halide::Buffer<>> in{"in"};
    Halide::GeneratorOutput<Halide::Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(4);
        out.set_type(type);
        out.set_dimensions(4);
    }

protected:
    Halide::Var c{"c"}, x{"x"}, y{"y"}, b{"b"};

    /// Tiles out; stages `padded` and computes `reduced` per tile.
    void schedule_tiles(Halide::Func padded, Halide::Func reduced, int reduced_bytes,
                        std::source_location at = std::source_location::current()) {
        const int bytes = type.value().bytes();
        const WindowTiles t = window_tiles(this->machine(), {tile_c, tile_x, tile_y, 1}, [&](const WindowTiles &s) -> WindowBytes {
            const int64_t outputs = int64_t{s.x} * s.y * s.co;
            return {.scratchpad = int64_t{window.span_x(s.x)} * window.span_y(s.y) * s.co * bytes + outputs * (bytes + reduced_bytes),
                    .accumulator = 0};
        });
        const Tiling tiling = tile_output(out, {t.co, t.x, t.y, 1}, depth, at);
        compute_in_scratchpad(padded, tiling.tile, at);
        double_buffer(padded, tiling.around, depth, at);
        compute_in_scratchpad(reduced, tiling.tile, at);
    }
};

}  // namespace emulsion::generators
