// Bilinear resize of a plane in fixed point, to the extents of the output.
//
//   in, out  u8, (x, y), mins 0; extents of `in` at most 16383 and at most max_shrink times those of `out`
//   step     in extent * 65536 / out extent, rounded down
//   position of output x: x * step + (step - 65536 >> 1) in 1/65536 of an input pixel (pixel centres coincide)
//   i = position >> 16, w = (position >> 8) & 255
//   rows first: r(x) = (in(x, i) (256 - w) + in(x, i + 1) w + 128) >> 8, then the same over x. Outside, the edge repeats.
// Numerics: exact in u16 (65280 at most).
#include "generators/image/plane.h"

namespace emulsion::generators {

class ResizeBilinearImage : public PlaneKernel<ResizeBilinearImage> {
public:
    static constexpr const char *says = "Bilinear resize of a plane to the extents of the output.";

    /// How many times smaller the output may be: it bounds the part of the input under a tile.
    GeneratorParam<int> max_shrink{"max_shrink", 2, 1, 16};

    void configure() { set_planes(2, 2); }

    void generate() {
        for (int d = 0; d < 2; d++) {
            in.dim(d).set_min(0);
            out.dim(d).set_min(0);
            add_requirement(in.dim(d).extent() <= 16383, "extents of in must be at most 16383");
            add_requirement(in.dim(d).extent() <= out.dim(d).extent() * max_shrink, "out must not be smaller than in / max_shrink");
        }
        repeat_edge();
        const Axis ax = axis(0, width()), ay = axis(1, height());
        part(px, py, tx, ty) = edge(ax.first(tx) + px, ay.first(ty) + py);
        column = coordinate("column", x, ax.local(x));
        weight_x = coordinate("weight_x", x, ax.weight(x));
        weight_y = coordinate("weight_y", y, ay.weight(y));

        const auto above = [&](int dy) { return part(px, ay.local(y) + dy, tx, y / height()); };
        row(px, y, tx) = blend(above(0), above(1), weight_y(y));
        const auto left = [&](int dx) { return row(column(x) + dx, y, x / width()); };
        out(x, y) = blend(left(0), left(1), weight_x(x));
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {width(), height()}, depth);
        compute_in_scratchpad(part, tiling.tile);
        double_buffer(part, tiling.around, depth);
        for (const Func &f : {column, weight_x, weight_y, row}) compute_in_scratchpad(f, tiling.tile);
    }

    void cpu_schedule() {
        for (Func f : {column, weight_x, weight_y, row}) f.compute_root();
    }

private:
    struct Axis {
        Expr step;
        int tile, span;  ///< output pixels of a tile, input pixels under it
        Expr position(const Expr &v) const { return v * step + (step - 65536) / 2; }
        Expr first(const Expr &t) const { return position(t * tile) / 65536; }
        Expr local(const Expr &v) const { return clamp(position(v) / 65536 - first(v / tile), 0, span - 2); }
        Expr weight(const Expr &v) const { return cast<uint16_t>((position(v) / 256) % 256); }
    };

    Var px{"px"}, py{"py"}, tx{"tx"}, ty{"ty"};
    Func part{"part"}, row{"row"}, column, weight_x, weight_y;

    int width() const { return tile_x > 0 ? int(tile_x) : 256; }
    int height() const { return tile_y > 0 ? int(tile_y) : 32; }

    Axis axis(int d, int tile) {
        return {in.dim(d).extent() * 65536 / max(out.dim(d).extent(), 1), tile, tile * max_shrink + 2};
    }

    static Func coordinate(const char *name, const Var &v, const Expr &value) {
        Func f(name);
        f(v) = value;
        return f;
    }

    static Expr blend(const Expr &a, const Expr &b, const Expr &weight) {
        const Expr sum = cast<uint16_t>(a) * (cast<uint16_t>(256) - weight) + cast<uint16_t>(b) * weight;
        return cast<uint8_t>(rounding_shift_right(sum, 8));
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::ResizeBilinearImage, resize_bilinear_image)
