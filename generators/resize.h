// What resizing operators share: coordinates as exact fractions, and the staging of the input part under an output tile.
//
//   in, out  type, (c, x, y, b); extents of x and y are generator parameters, as coordinates need them as constants
//   Output coordinate x reads position (x * step + offset) / unit of the input.
#pragma once
#include "generators/tile.h"

namespace emulsion::generators {

/// One axis of a resize.
struct ResizeAxis {
    int in = 1, out = 1;  ///< extents
    int step = 1, offset = 0, unit = 1;
    int tile = 1;  ///< output elements of a tile

    Halide::Expr position(const Halide::Expr &x) const { return x * step + offset; }
    Halide::Expr below(const Halide::Expr &x) const { return clamp(position(x) / unit, 0, in - 1); }
    Halide::Expr above(const Halide::Expr &x) const { return clamp((position(x) + unit - 1) / unit, 0, in - 1); }
    /// First input element that tile t reads, and a bound on how many it reads.
    Halide::Expr base(const Halide::Expr &t) const { return below(t * tile); }
    int span() const { return std::min(in, static_cast<int>((int64_t{tile} - 1) * step / unit) + 3); }
    /// `coordinate` of the input, counted from the base of the tile of output x.
    Halide::Expr local(const Halide::Expr &coordinate, const Halide::Expr &x) const {
        return clamp(coordinate - base(x / tile), 0, span() - 1);
    }
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
        compute_in_scratchpad(part, tiling.tile);
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
        const Halide::Region box{{Halide::Expr(), Halide::Expr()}, {0, ax.in}, {0, ay.in}, {Halide::Expr(), Halide::Expr()}};
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
};

}  // namespace emulsion::generators
