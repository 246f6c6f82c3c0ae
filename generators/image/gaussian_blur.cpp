// Gaussian blur of a plane by the binomial filter 1 4 6 4 1 in both directions (sigma 1).
//
//   in, out  plane (picture.h), the same size; outside `in` its edge pixels repeat
// Numerics: (sum of weights * pixels + 128) >> 8, exact in uint16. Source: Burt and Adelson, "The Laplacian Pyramid as a Compact
// Image Code", 1983.
#include "generators/image/binomial.h"
#include "generators/image/picture.h"

namespace emulsion::generators {

class GaussianBlur : public Picture<GaussianBlur> {
public:
    static constexpr const char *says = "Gaussian blur of a plane, 5 by 5.";

    Input<Buffer<uint8_t, 2>> in{"in"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        padded = boundary::repeat_edge(in, boundary::whole(in), form());
        rows(x, y) = binomial([&](int k) { return padded(x + k, y); });
        out(x, y) = binomial_round(binomial([&](int k) { return rows(x, y + k); }));
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

EMULSION_REGISTER_GENERATOR(emulsion::generators::GaussianBlur, gaussian_blur)
