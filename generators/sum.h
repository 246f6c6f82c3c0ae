// Addition and subtraction of quantised tensors: both operands are brought to a common scale, 20 bits finer than theirs.
#pragma once
#include "generators/elementwise.h"

namespace emulsion::generators {

/// sign +1 or -1. Numerics: TFLite reference ADD and SUB (left_shift 20, mode double throughout):
///   x = requantize((a - a_zero) << 20, a_multiplier, a_shift), y likewise;
///   out = clamp(requantize(x + sign*y, out_multiplier, out_shift) + out_zero)
/// 16-bit operands use a left shift of 15. Not quantised: a + sign*b in the type's own arithmetic (integers wrap).
template<typename T, int sign>
class Sum : public Elementwise<T> {
public:
    void configure() {
        Elementwise<T>::configure();
        if (!this->quantized) return;
        for (Scalar &s : scalars_) s.input = this->template add_input<int32_t>(s.name);
    }

    void generate() {
        const Halide::Expr a = this->a_value(), b = this->b_value();
        if (!this->quantized) {
            this->out(this->index()) = sign > 0 ? a + b : a - b;
            return;
        }
        const Halide::Expr x = scaled(a, this->a_zero, 0), y = scaled(b, this->b_zero, 2);
        const Halide::Expr raw = sign > 0 ? x + y : x - y;
        const Halide::Expr q = requantize(raw, *scalars_[4].input, *scalars_[5].input, Rounding::double_, this->form());
        this->out(this->index()) = this->clamped(q + int(this->out_zero));
    }

private:
    struct Scalar {
        const char *name;
        Halide::GeneratorInput<int32_t> *input = nullptr;
    };
    Scalar scalars_[6] = {{"a_multiplier"}, {"a_shift"}, {"b_multiplier"}, {"b_shift"}, {"out_multiplier"}, {"out_shift"}};

    Halide::Expr scaled(const Halide::Expr &q, int zero, int scalar) const {
        const int left = this->type.value().bits() == 8 ? 20 : 15;
        const Halide::Expr centred = (Halide::cast<int32_t>(q) - zero) * (1 << left);
        return requantize(centred, *scalars_[scalar].input, *scalars_[scalar + 1].input, Rounding::double_, this->form());
    }
};

}  // namespace emulsion::generators
