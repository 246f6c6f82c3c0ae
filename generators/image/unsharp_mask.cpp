// Sharpening by an unsharp mask: out = clamp(in + ((in - blur(in)) * amount + 8 >> 4), 0, 255).
//
//   blur    the 5 x 5 binomial window of gaussian_blur, rounded to whole levels
//   amount  in 1/16, 0 to 128
// Shapes: plane.h, (x, y). Numerics: exact in i16; ties of the rounding go up.
#include "generators/image/binomial.h"

namespace emulsion::generators {

class UnsharpMask : public PlaneKernel<UnsharpMask> {
public:
    static constexpr const char *says = "Sharpens a plane: adds a multiple of its difference from its blur.";

    GeneratorParam<int> amount{"amount", 16, 0, 128};  ///< in 1/16

    void configure() { set_planes(2, 2); }

    void generate() {
        repeat_edge();
        const Binomial blur = binomial(stages, edge);
        const Expr pixel = reinterpret<int16_t>(blur.pixels(x, y));
        const Expr detail = reinterpret<int16_t>(blur.pixels(x, y) - blur.mean(stages));
        out(x, y) = saturating_cast<uint8_t>(pixel + rounding_shift_right(detail * cast<int16_t>(int(amount)), 4));
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::UnsharpMask, unsharp_mask)
