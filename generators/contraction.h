// What all multiply-accumulate operators share: element types, zero points, and the output stage
//   out = clamp(cast(requantize(acc + bias, multiplier, shift) + out_zero))
//
// Accumulators: int32 for integer operands, float32 for float operands. The caller keeps int32 from overflowing: 8-bit
// operands up to 33,000 products; 16-bit operands need small values.
// Output types and what the output stage reads (all indexed by output channel):
//   int8 uint8 int16   from integers: bias int32, multiplier int32 and shift int32 (rounding rne_f32: multiplier float32 only)
//   int32              from integers: bias int32
//   float16 bfloat16 float32   from floats: bias float32; from integers: bias int32, multiplier float32
#pragma once
#include "generators/bounds.h"
#include "generators/tile.h"

namespace emulsion::generators {

template<typename T>
class Contraction : public emulsion::Generator<T> {
public:
    Halide::GeneratorParam<Halide::Type> in_type{"in_type", Halide::Int(8)};
    Halide::GeneratorParam<Halide::Type> weight_type{"weight_type", Halide::Int(8)};
    Halide::GeneratorParam<Halide::Type> out_type{"out_type", Halide::Int(8)};
    Halide::GeneratorParam<int> in_zero{"in_zero", 0};          ///< subtracted from each input
    Halide::GeneratorParam<int> weight_zero{"weight_zero", 0};  ///< subtracted from each weight
    Halide::GeneratorParam<int> out_zero{"out_zero", 0};
    Halide::GeneratorParam<std::string> rounding_mode{"rounding", "single"};
    Bounds bounds;  ///< fused activation
    Halide::GeneratorParam<bool> has_bias{"with_bias", true};

protected:
    using Parameters = Halide::GeneratorInput<Halide::Buffer<>>;

    bool floating() const { return in_type.value().is_float() || in_type.value().is_bfloat(); }
    bool float_out() const { return out_type.value().is_float() || out_type.value().is_bfloat(); }
    Halide::Type acc_type() const { return floating() ? Halide::Float(32) : Halide::Int(32); }
    bool requantizes() const { return !floating() && !float_out() && out_type.value().bits() < 32; }
    Rounding mode() const { return rounding(rounding_mode.value()); }

    /// Adds the parameter inputs: call from configure(), after setting the operands' types.
    void add_parameters() {
        if (has_bias) bias_ = this->template add_input<Halide::Buffer<>>("bias", acc_type(), 1);
        const bool real_scale = requantizes() ? mode() == Rounding::rne_f32 : !floating() && float_out();
        if (requantizes() || real_scale)
            multiplier_ = this->template add_input<Halide::Buffer<>>("multiplier", real_scale ? Halide::Float(32) : Halide::Int(32), 1);
        if (requantizes() && !real_scale) shift_ = this->template add_input<Halide::Buffer<>>("shift", Halide::Int(32), 1);
    }

    /// (input - in_zero) * (weight - weight_zero) in the accumulator's type.
    Halide::Expr product(const Halide::Expr &input, const Halide::Expr &weight) const {
        return centred(input, in_zero) * centred(weight, weight_zero);
    }

    /// The output stage for output channel `channel`.
    Halide::Expr finish(Halide::Expr acc, const Halide::Expr &channel) const {
        if (bias_) acc = acc + (*bias_)(channel);
        if (requantizes()) {
            const Halide::Expr shift = shift_ ? (*shift_)(channel) : Halide::Expr();
            acc = requantize(acc, (*multiplier_)(channel), shift, mode(), this->form()) + out_zero;
        } else if (multiplier_) {
            acc = Halide::cast<float>(acc) * (*multiplier_)(channel);
        }
        return Halide::saturating_cast(out_type, bounds.clamp(acc));
    }

    /// Bias, multipliers and shifts stay in the scratchpad, the next channels' beside this one's, so that their load does not
    /// hold up the loads behind it; `consumer` is the Func whose body is finish().
    void keep_parameters(const Halide::Func &consumer, const Halide::LoopLevel &level, std::source_location at) const {
        for (const Parameters *p : {bias_, multiplier_, shift_})
            if (p) stage_parameter(stage_in(*p, consumer, level, at), level, at);
    }

    /// What is staged once, outside every loop, needs no second slot.
    static void stage_parameter(const Halide::Func &staged, Halide::LoopLevel level,
                                std::source_location at = std::source_location::current()) {
        if (!level.lock().is_root()) double_buffer(staged, Halide::LoopLevel::root(), 2, at);
    }

private:
    Parameters *bias_ = nullptr, *multiplier_ = nullptr, *shift_ = nullptr;

    Halide::Expr centred(const Halide::Expr &x, int zero) const {
        const Halide::Expr wide = Halide::cast(acc_type(), x);
        return zero == 0 ? wide : wide - Halide::cast(acc_type(), zero);
    }
};

}  // namespace emulsion::generators
