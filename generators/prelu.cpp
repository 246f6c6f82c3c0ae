// Parametric rectifier: out = a where a >= 0, else a * b; b is the slope. Shapes and broadcasting: elementwise.h.
//
// Quantised: out = clamp(out_zero + requantize(a - a_zero, a_multiplier, a_shift)) where that is not negative, else
// clamp(out_zero + requantize((a - a_zero) * (b - b_zero), out_multiplier, out_shift)), mode double. Source: TFLite reference PRELU.
#include "generators/elementwise.h"

namespace emulsion::generators {

class Prelu : public Elementwise<Prelu> {
public:
    static constexpr const char *says = "Rectifier with a slope per element for negative values.";

    void configure() {
        Elementwise::configure();
        if (!quantized) return;
        for (Scalar &s : scalars) s.input = add_input<int32_t>(s.name);
    }

    void generate() {
        if (!quantized) {
            out(index()) = select(a_value() >= cast(type, 0), a_value(), a_value() * b_value());
            return;
        }
        const Expr x = cast<int32_t>(a_value()) - a_zero, slope = cast<int32_t>(b_value()) - b_zero;
        const Expr positive = requantize(x, *scalars[0].input, *scalars[1].input, Rounding::double_, form());
        const Expr negative = requantize(x * slope, *scalars[2].input, *scalars[3].input, Rounding::double_, form());
        out(index()) = clamped(select(x >= 0, positive, negative) + out_zero);
    }

private:
    struct Scalar {
        const char *name;
        Input<int32_t> *input = nullptr;
    };
    Scalar scalars[4] = {{"a_multiplier"}, {"a_shift"}, {"out_multiplier"}, {"out_shift"}};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Prelu, prelu)
