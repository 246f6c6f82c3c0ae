// Product of two tensors: out = a * b. Shapes and broadcasting: elementwise.h.
//
// Quantised: out = clamp(requantize((a - a_zero) * (b - b_zero), out_multiplier, out_shift) + out_zero), mode double.
// Not quantised: the type's own arithmetic (integers wrap). Source: TFLite reference MUL.
#include "generators/elementwise.h"

namespace emulsion::generators {

class Mul : public Elementwise<Mul> {
public:
    static constexpr const char *says = "Product of two tensors, plain or quantised.";

    void configure() {
        Elementwise::configure();
        if (!quantized) return;
        multiplier = add_input<int32_t>("out_multiplier");
        shift = add_input<int32_t>("out_shift");
    }

    void generate() {
        if (!quantized) {
            out(index()) = a_value() * b_value();
            return;
        }
        const Expr product = (cast<int32_t>(a_value()) - a_zero) * (cast<int32_t>(b_value()) - b_zero);
        out(index()) = clamped(requantize(product, *multiplier, *shift, Rounding::double_, form()) + out_zero);
    }

private:
    Input<int32_t> *multiplier = nullptr, *shift = nullptr;
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Mul, mul)
