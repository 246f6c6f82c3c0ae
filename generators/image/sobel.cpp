// Edge strength: out = min(|gx| + |gy|, 255), gx and gy the 3 x 3 Sobel derivatives.
//
// Shapes: plane.h, (x, y). Numerics: exact. With b(x, y) the sum of the 2 x 2 pixels at x, x + 1, y, y + 1,
//   e = b(x, y) - b(x-1, y-1), f = b(x, y-1) - b(x-1, y):   gx = e + f, gy = e - f, so |gx| + |gy| = 2 max(|e|, |f|).
// Source: Sobel and Feldman, A 3x3 isotropic gradient operator for image processing, 1968.
#include "generators/image/plane.h"

namespace emulsion::generators {

class Sobel : public PlaneKernel<Sobel> {
public:
    static constexpr const char *says = "Edge strength |gx| + |gy| of a plane, saturated to 8 bits.";

    void configure() { set_planes(2, 2); }

    void generate() {
        repeat_edge();
        const Func pixels = stages.add("pixels", cast<uint16_t>(edge(x, y)));
        const Func box = pair_y(stages, "box", pair_x(stages, "pair", pixels));
        const Expr larger = max(absd(box(x, y), box(x - 1, y - 1)), absd(box(x, y - 1), box(x - 1, y)));
        const Expr half = saturating_cast<uint8_t>(larger);
        out(x, y) = saturating_add(half, half);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Sobel, sobel)
