// Maximum over a window: out(c, x, y, b) = clamp(max over kx, ky of in(c, x*stride_x + kx*dilation_x - pad_x, ..., b)).
//
// Shapes and parameters: pool.h. Elements outside `in` never win. Numerics: exact. Source: TFLite reference MAX_POOL_2D.
#include "generators/pool.h"

namespace emulsion::generators {

class MaxPool : public Pool<MaxPool> {
public:
    static constexpr const char *says = "Maximum over a sliding window.";

    void generate() {
        padded = boundary::constant_exterior(in, type.value().min(), image_box(in), form());
        RDom r(0, window.kernel_x, 0, window.kernel_y, "r");
        largest(c, x, y, b) = type.value().min();
        largest(c, x, y, b) = max(largest(c, x, y, b), padded(c, window.in_x(x, r.x), window.in_y(y, r.y), b));
        out(c, x, y, b) = bounds.clamp(largest(c, x, y, b));
    }

    void npu_schedule() { schedule_tiles(padded, largest, type.value().bytes()); }

private:
    Func padded, largest{"largest"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::MaxPool, max_pool)
