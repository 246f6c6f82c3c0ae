// Sobel gradient magnitude of a plane: min(|gx| + |gy|, 255).
//
//   in, out  plane (picture.h), the same size; outside `in` its edge pixels repeat
//   gx       columns -1 0 1, rows 1 2 1; gy the same, transposed
// Numerics: exact in int16 (|gx|, |gy| <= 1020). Source: Gonzalez and Woods, "Digital Image Processing", Sobel operators.
#include "generators/image/picture.h"

namespace emulsion::generators {

class Sobel : public Picture<Sobel> {
public:
    static constexpr const char *says = "Gradient magnitude of a plane by Sobel's operators.";

    Input<Buffer<uint8_t, 2>> in{"in"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        padded = boundary::repeat_edge(in, boundary::whole(in), form());
        const auto pixel = [&](int dx) { return cast<int16_t>(padded(x + dx, y)); };
        step(x, y) = pixel(1) - pixel(-1);
        smooth(x, y) = pixel(-1) + pixel(1) + pixel(0) * cast<int16_t>(2);
        const Expr gx = step(x, y - 1) + step(x, y + 1) + step(x, y) * cast<int16_t>(2);
        const Expr gy = smooth(x, y + 1) - smooth(x, y - 1);
        out(x, y) = saturating_cast<uint8_t>(abs(gx) + abs(gy));
    }

    void npu_schedule() {
        const Tiling tiling = tile_picture(out, 1, 4, 2);
        stage_padded(padded, tiling);
        compute_in_scratchpad(step, tiling.tile);
        compute_in_scratchpad(smooth, tiling.tile);
    }

private:
    Func padded, step{"step"}, smooth{"smooth"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Sobel, sobel)
