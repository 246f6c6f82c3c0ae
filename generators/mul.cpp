// Product of two tensors: out = a * b. Shapes and broadcasting: elementwise.h.
//
// Quantised: out = clamp(requantize((a - a_zero) * (b - b_zero), out_multiplier, out_shift) + out_zero), mode double; rounding
// rne_f32: the product of the dequantised operands, quantised (elementwise.h). Not quantised: the type's own arithmetic
// (integers wrap). Source: TFLite reference MUL, ONNX Mul between DequantizeLinear and QuantizeLinear.
#include "generators/elementwise.h"

namespace emulsion::generators {

class Mul : public Elementwise<Mul> {
public:
    static constexpr const char *says = "Product of two tensors, plain or quantised.";

    GeneratorParam<std::string> rounding_mode{"rounding", "double"};

    void configure() {
        Elementwise::configure();
        if (!quantized) return;
        if (in_float()) {
            add_real_scales();
            return;
        }
        multiplier = add_input<int32_t>("out_multiplier");
        shift = add_input<int32_t>("out_shift");
    }

    void generate() {
        if (!quantized)
            out(index()) = clamped(a_value() * b_value());
        else if (in_float())
            out(index()) = quantized_real(a_real() * b_real());
        else {
            const Expr product = (cast<int32_t>(a_value()) - a_zero) * (cast<int32_t>(b_value()) - b_zero);
            out(index()) = clamped(requantize(product, *multiplier, *shift, Rounding::double_, form()) + out_zero);
        }
    }

private:
    Input<int32_t> *multiplier = nullptr, *shift = nullptr;

    bool in_float() const { return rounding(rounding_mode.value()) == Rounding::rne_f32; }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Mul, mul)
