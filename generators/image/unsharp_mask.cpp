// Unsharp mask of a plane: out = in + amount * (in - blurred), saturated.
//
//   in, out  plane (picture.h), the same size; outside `in` its edge pixels repeat
//   amount   in 1/16, 0 to 127
// Numerics: blurred as gaussian_blur; in + ((amount * (in - blurred) + 8) >> 4), exact in int16. Source: Gonzalez and Woods,
// "Digital Image Processing", unsharp masking and highboost filtering.
#include "generators/image/binomial.h"
#include "generators/image/picture.h"

namespace emulsion::generators {

class UnsharpMask : public Picture<UnsharpMask> {
public:
    static constexpr const char *says = "Sharpens a plane by what a Gaussian blur takes away.";

    GeneratorParam<int> amount{"amount", 16, 0, 127};

    Input<Buffer<uint8_t, 2>> in{"in"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        padded = boundary::repeat_edge(in, boundary::whole(in), form());
        rows(x, y) = binomial([&](int k) { return padded(x + k, y); });
        const Expr blurred = cast<int16_t>(binomial_round(binomial([&](int k) { return rows(x, y + k); })));
        const Expr pixel = cast<int16_t>(padded(x, y));
        const Expr detail = (pixel - blurred) * cast<int16_t>(int(amount)) + cast<int16_t>(8);
        out(x, y) = saturating_cast<uint8_t>(pixel + (detail >> cast<int16_t>(4)));
    }

    void npu_schedule() {
        const Tiling tiling = tile_picture(out, 2, 2, 2);
        stage_padded(padded, tiling);
        compute_in_scratchpad(rows, tiling.tile);
    }

private:
    Func padded, rows{"rows"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::UnsharpMask, unsharp_mask)
