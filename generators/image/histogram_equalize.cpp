// Histogram equalisation of a plane: out = table(in), table(v) = 255 * (pixels of values <= v) / pixels, rounded.
//
//   in, out  plane (picture.h), the same size; up to 2^23 pixels, so that 255 * pixels fits 32 bits
// Numerics: (255 * cumulative(v) + pixels / 2) / pixels in uint32, exact. Source: Gonzalez and Woods, "Digital Image Processing",
// histogram equalisation.
//
// Schedule: one pass over stripes of rows counts, 256 steps accumulate, a second pass looks up.
#include "generators/image/picture.h"

namespace emulsion::generators {

class HistogramEqualize : public Picture<HistogramEqualize> {
public:
    static constexpr const char *says = "Spreads the values of a plane evenly over 0 to 255.";

    Input<Buffer<uint8_t, 2>> in{"in"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        pixel = RDom(boundary::whole(in), "pixel");
        count(v) = cast<uint32_t>(0);
        count(in(pixel.x, pixel.y)) += cast<uint32_t>(1);
        const RDom step(1, values - 1, "step");
        cumulative(v) = count(v);
        cumulative(step) += cumulative(step - 1);
        const Expr pixels = cast<uint32_t>(in.dim(0).extent() * in.dim(1).extent());
        table(v) = cast<uint8_t>((cumulative(v) * cast<uint32_t>(255) + pixels / 2) / pixels);
        table.bound(v, 0, values);
        out(x, y) = table(in(x, y));
    }

    void npu_schedule() {
        const PictureTile tile = picture_tile(machine(), {tile_x, tile_y}, {0, 3 * depth});
        const Tiling tiling = tile_output(out, {tile.x, tile.y}, depth);
        stage_tile(in, out, tiling, depth);
        for (const Func &f : {count, cumulative, table}) compute_in_scratchpad(f, Halide::LoopLevel::root());
        RVar xo("xo"), xi("xi"), yo("yo"), yi("yi");
        count.update().split(pixel.x, xo, xi, tile.x).split(pixel.y, yo, yi, tile.y).reorder(xi, yi, xo, yo);
        double_buffer(stage_in(in, count, {count, xo}), Halide::LoopLevel::root(), depth);
    }

private:
    static constexpr int values = 256;
    Var v{"v"};
    RDom pixel;
    Func count{"count"}, cumulative{"cumulative"}, table{"table"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::HistogramEqualize, histogram_equalize)
