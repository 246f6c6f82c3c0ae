// Comparison of two tensors: out = 1 where it holds, else 0. Shapes and broadcasting: elementwise.h.
//
//   a, b  type        out  uint8
// Quantised (8 bits): both sides are requantize((x - x_zero) << 8, x_multiplier, x_shift), mode double, before they are compared.
// Source: TFLite reference EQUAL … GREATER_EQUAL (ComparisonWithScaling); ONNX Equal, Less, Greater.
#include "generators/elementwise.h"

namespace emulsion::generators {

class Compare : public Elementwise<Compare> {
public:
    static constexpr const char *says = "Comparison of two tensors.";

    enum class Op { equal, not_equal, less, less_equal, greater, greater_equal };
    GeneratorParam<Op> op{"op", Op::equal, {{"equal", Op::equal}, {"not_equal", Op::not_equal}, {"less", Op::less}, {"less_equal", Op::less_equal}, {"greater", Op::greater}, {"greater_equal", Op::greater_equal}}};

    Type result_type() const { return UInt(8); }

    void configure() {
        Elementwise::configure();
        if (!quantized) return;
        for (Scalar &s : scalars_) s.input = add_input<int32_t>(s.name);
    }

    void generate() {
        const Expr a = quantized ? scaled(a_value(), a_zero, 0) : a_value(), b = quantized ? scaled(b_value(), b_zero, 2) : b_value();
        out(index()) = cast<uint8_t>(holds(a, b));
    }

private:
    struct Scalar {
        const char *name;
        Input<int32_t> *input = nullptr;
    };
    Scalar scalars_[4] = {{"a_multiplier"}, {"a_shift"}, {"b_multiplier"}, {"b_shift"}};

    Expr scaled(const Expr &q, int zero, int scalar) const {
        return requantize((cast<int32_t>(q) - zero) * 256, *scalars_[scalar].input, *scalars_[scalar + 1].input, Rounding::double_, form());
    }

    Expr holds(const Expr &a, const Expr &b) const {
        switch (op) {
        case Op::equal: return a == b;
        case Op::not_equal: return a != b;
        case Op::less: return a < b;
        case Op::less_equal: return a <= b;
        case Op::greater: return b < a;
        default: return b <= a;
        }
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Compare, compare)
