// What resizing operators share: coordinates as exact fractions, and the staging of the input part under an output tile.
//
//   in, out  type, (c, x, y, b); extents of x and y are generator parameters, as coordinates need them as constants
//   Output coordinate x reads position (x * step + offset) / unit of the input. Where a framework computes it in float32, which can
//   fall on the other side of an integer, the neighbours come from a table made here with the same arithmetic.
#pragma once
#include "generators/tile.h"

#include <algorithm>
#include <cmath>

namespace emulsion::generators {

/// One axis of a resize.
struct ResizeAxis {
    int in = 1, out = 1;  ///< extents
    int step = 1, offset = 0, unit = 1;
    int tile = 1;  ///< output elements of a tile

    Halide::Expr position(const Halide::Expr &x) const { return x * step + offset; }
    Halide::Expr below(const Halide::Expr &x) const { return clamp(position(x) / unit, 0, in - 1); }
    Halide::Expr above(const Halide::Expr &x) const { return clamp((position(x) + unit - 1) / unit, 0, in - 1); }
    /// An input element at or before the first that tile t reads, one early as float coordinates may be; a bound on how many it reads.
    Halide::Expr base(const Halide::Expr &t) const { return max(below(t * tile) - 1, 0); }
    int first(int t) const { return std::clamp(floor_div(int64_t{t} * tile * step + offset, unit) - 1, 0, in - 1); }
    int span() const { return std::min(in, static_cast<int>((int64_t{tile} - 1) * step / unit) + 5); }
    /// `coordinate` of the input, counted from the base of the tile of output x.
    Halide::Expr local(const Halide::Expr &coordinate, const Halide::Expr &x) const {
        return clamp(coordinate - base(x / tile), 0, span() - 1);
    }

    /// values[x] of every output x, for whole tiles.
    template<typename Value, typename F>
    Halide::Buffer<Value> table(F value) const {
        Halide::Buffer<Value> t((out + tile - 1) / tile * tile);
        for (int x = 0; x < t.width(); x++) t(x) = value(std::min(x, out - 1), x / tile);
        return t;
    }
    /// The table of `coordinate(x)` counted from its tile's base.
    template<typename F>
    Halide::Buffer<int32_t> local_table(F coordinate) const {
        return table<int32_t>([&](int x, int t) { return std::clamp(coordinate(x) - first(t), 0, span() - 1); });
    }

private:
    static int floor_div(int64_t a, int64_t b) { return static_cast<int>(a >= 0 ? a / b : -((b - 1 - a) / b)); }
};

template<typename T>
class Resize : public emulsion::Generator<T> {
public:
    Halide::GeneratorParam<Halide::Type> type{"type", Halide::Int(8)};
    Halide::GeneratorParam<int> in_x{"in_x", 8}, in_y{"in_y", 8}, out_x{"out_x", 16}, out_y{"out_y", 16};
    Halide::GeneratorParam<bool> half_pixel_centers{"half_pixel_centers", false}, align_corners{"align_corners", false};
    Halide::GeneratorParam<int> tile_c{"tile_c", 64}, tile_x{"tile_x", 16}, tile_y{"tile_y", 8};
    Halide::GeneratorParam<int> depth{"depth", 2};

    Halide::GeneratorInput<Halide::Buffer<>> in{"in"};
    Halide::GeneratorOutput<Halide::Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(4);
        out.set_type(type);
        out.set_dimensions(4);
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_c, tile_x, tile_y, 1}, depth);
        // Whole channel tiles, the last one filled up: a look-up may touch any byte between the first and the last row, so no row may
        // have bytes that nobody wrote.
        compute_in_scratchpad(part, tiling.tile).align_bounds(c, tile_c);
        double_buffer(part, tiling.around, depth);
        for (const Halide::Func &f : coordinates) compute_in_scratchpad(f, tiling.tile);
    }

protected:
    Halide::Var c{"c"}, x{"x"}, y{"y"}, b{"b"}, px{"px"}, py{"py"}, tx{"tx"}, ty{"ty"};
    Halide::Func part{"part"};               ///< the input under tile (tx, ty): (c, px, py, tx, ty, b)
    std::vector<Halide::Func> coordinates;  ///< one-dimensional Funcs of x or y

    /// Defines `part`; call before part_at.
    void define_part(const ResizeAxis &ax, const ResizeAxis &ay) {
        out.dim(1).set_min(0);
        out.dim(2).set_min(0);
        const Halide::Region box{{in.dim(0).min(), in.dim(0).extent()}, {0, ax.in}, {0, ay.in}, {Halide::Expr(), Halide::Expr()}};
        const Halide::Func edge = boundary::repeat_edge(in, box, this->form());
        part(c, px, py, tx, ty, b) = edge(c, ax.base(tx) + px, ay.base(ty) + py, b);
    }

    /// The input element at local coordinates u, v of the tile of output (x, y).
    Halide::Expr part_at(const ResizeAxis &ax, const ResizeAxis &ay, const Halide::Expr &u, const Halide::Expr &v) const {
        return part(c, clamp(u, 0, ax.span() - 1), clamp(v, 0, ay.span() - 1), x / ax.tile, y / ay.tile, b);
    }

    /// A Func of one coordinate, computed once per tile.
    Halide::Func coordinate(const char *name, const Halide::Var &v, const Halide::Expr &value) {
        Halide::Func f(name);
        f(v) = value;
        coordinates.push_back(f);
        return f;
    }
    template<typename Value>
    Halide::Func coordinate(const char *name, const Halide::Var &v, const Halide::Buffer<Value> &table) {
        return coordinate(name, v, table(v));
    }
};

}  // namespace emulsion::generators
