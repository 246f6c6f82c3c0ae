// Bilinear demosaic of an RGGB sensor: R at even x and y, B at odd x and y, G elsewhere.
//
//   in   plane (picture.h): one sample per pixel; at least 2 x 2
//   out  colour (picture.h), the same size
// Outside `in` it is mirrored with its edge shared, which keeps the pattern. Numerics: means of 2 or 4 samples rounded to
// nearest, ties up; exact in uint16. Source: Malvar, He, Cutler, "High-quality linear interpolation for demosaicing", 2004, section 2.
#include "generators/image/picture.h"

namespace emulsion::generators {

class Demosaic : public Picture<Demosaic> {
public:
    static constexpr const char *says = "Bilinear demosaic of an RGGB sensor.";

    Input<Buffer<uint8_t, 2>> in{"in"};
    Output<Buffer<uint8_t, 3>> out{"out"};

    void generate() {
        out.dim(0).set_min(0);
        out.dim(1).set_min(0);
        out.dim(2).set_bounds(0, 3);
        padded = boundary::mirror_interior(in, boundary::whole(in), form());
        // Blue is red one pixel further in both directions; a table of parities per line is cheaper than a remainder per pixel.
        far_x(x, c) = cast<uint8_t>((x + shifted()) % 2);
        far_y(y, c) = cast<uint8_t>((y + shifted()) % 2);
        green(c) = cast<uint8_t>(c == 1);
        green.bound(c, 0, 3);

        const auto sample = [&](int dx, int dy) { return cast<uint16_t>(padded(x + dx, y + dy)); };
        const Expr beside = sample(-1, 0) + sample(1, 0), above = sample(0, -1) + sample(0, 1);
        const Expr corners = sample(-1, -1) + sample(1, -1) + sample(-1, 1) + sample(1, 1);
        const Expr is_far_x = far_x(x, c) != 0, is_far_y = far_y(y, c) != 0;
        const Expr at_red = select(is_far_y, select(is_far_x, mean_of_4(corners), mean_of_2(above)),
                                   select(is_far_x, mean_of_2(beside), sample(0, 0)));
        const Expr at_green = select(far_x(x, c) == far_y(y, c), mean_of_4(beside + above), sample(0, 0));
        out(x, y, c) = cast<uint8_t>(select(green(c) != 0, at_green, at_red));
    }

    void npu_schedule() {
        const Tiling tiling = tile_picture(out, 1, 1, 4);
        stage_padded(padded, tiling);
        compute_in_scratchpad(far_x, tiling.tile);
        compute_in_scratchpad(far_y, tiling.tile);
        compute_in_scratchpad(green, Halide::LoopLevel::root());
    }

private:
    Func padded, far_x{"far_x"}, far_y{"far_y"}, green{"green"};

    Expr shifted() const { return select(c == 2, 1, 0); }
    static Expr mean_of_2(const Expr &sum) { return (sum + cast<uint16_t>(1)) >> cast<uint16_t>(1); }
    static Expr mean_of_4(const Expr &sum) { return (sum + cast<uint16_t>(2)) >> cast<uint16_t>(2); }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Demosaic, demosaic)
