// Addition and subtraction of tensors, plain or quantised.
#pragma once
#include "generators/elementwise.h"

namespace emulsion::generators {

/// sign +1 or -1. Quantised: both operands are brought to a common scale, 20 bits finer than theirs. Numerics: TFLite reference ADD
/// and SUB (left_shift 20, mode double throughout):
///   x = requantize((a - a_zero) << 20, a_multiplier, a_shift), y likewise;
///   out = clamp(requantize(x + sign*y, out_multiplier, out_shift) + out_zero)
/// 16-bit operands use a left shift of 15. rounding rne_f32: float32 (elementwise.h). Not quantised: a + sign*b in the type's own
/// arithmetic (integers wrap), clamped.
template<typename T, int sign>
class Sum : public Elementwise<T> {
public:
    Halide::GeneratorParam<std::string> rounding_mode{"rounding", "double"};

    void configure() {
        Elementwise<T>::configure();
        if (!this->quantized) return;
        if (in_float())
            this->add_real_scales();
        else
            for (Scalar &s : scalars_) s.input = this->template add_input<int32_t>(s.name);
    }

    void generate() {
        this->out(this->index()) = !this->quantized ? this->clamped(sum(this->a_value(), this->b_value()))
                                   : in_float()     ? this->quantized_real(sum(this->a_real(), this->b_real()))
                                                    : fixed_point_sum();
    }

private:
    struct Scalar {
        const char *name;
        Halide::GeneratorInput<int32_t> *input = nullptr;
    };
    Scalar scalars_[6] = {{"a_multiplier"}, {"a_shift"}, {"b_multiplier"}, {"b_shift"}, {"out_multiplier"}, {"out_shift"}};

    bool in_float() const { return rounding(rounding_mode.value()) == Rounding::rne_f32; }

    static Halide::Expr sum(const Halide::Expr &a, const Halide::Expr &b) { return sign > 0 ? a + b : a - b; }

    Halide::Expr fixed_point_sum() const {
        const Halide::Expr x = scaled(this->a_value(), this->a_zero, 0), y = scaled(this->b_value(), this->b_zero, 2);
        const Halide::Expr q = requantize(sum(x, y), *scalars_[4].input, *scalars_[5].input, Rounding::double_, this->form());
        return this->clamped(q + int(this->out_zero));
    }

    Halide::Expr scaled(const Halide::Expr &q, int zero, int scalar) const {
        const int left = this->type.value().bits() == 8 ? 20 : 15;
        const Halide::Expr centred = (Halide::cast<int32_t>(q) - zero) * (1 << left);
        return requantize(centred, *scalars_[scalar].input, *scalars_[scalar + 1].input, Rounding::double_, this->form());
    }
};

}  // namespace emulsion::generators
