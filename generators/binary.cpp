// Element-wise functions of two tensors that keep the type. Shapes and broadcasting: elementwise.h.
//
//   op  div                    floats: a / b, clamped to [low, high]; integers: the quotient toward zero, 0 for b = 0
//       pow                    float32: a to the b, the C library's powf; the machine's differs from it by at most 1 ulp
//       floor_mod, trunc_mod   remainder with the sign of b (floor_mod) or of a (trunc_mod, C's fmod). float32: exact while
//                              |a / b| < 2^24
//       bit_and bit_or bit_xor shift_left shift_right   integers; shifts right keep the sign of signed types; shift
//                              amounts are clamped to [0, bits - 1]
// Source: TFLite reference DIV, POW, FLOOR_MOD, RIGHT_SHIFT; ONNX Div, Pow, Mod, BitwiseAnd, BitShift.
#include "generators/elementwise.h"

namespace emulsion::generators {

class Binary : public Elementwise<Binary> {
public:
    static constexpr const char *says = "Quotient, power, remainder and bitwise functions of two tensors.";

    enum class Op { div, pow, floor_mod, trunc_mod, bit_and, bit_or, bit_xor, shift_left, shift_right };
    GeneratorParam<Op> op{"op", Op::div,
                          {{"div", Op::div}, {"pow", Op::pow}, {"floor_mod", Op::floor_mod}, {"trunc_mod", Op::trunc_mod}, {"bit_and", Op::bit_and},
                           {"bit_or", Op::bit_or}, {"bit_xor", Op::bit_xor}, {"shift_left", Op::shift_left}, {"shift_right", Op::shift_right}}};
    GeneratorParam<double> low{"low", -largest}, high{"high", largest};  ///< fused activation of float div

    void generate() {
        const Expr a = a_value(), b = b_value();
        const bool floats = type.value().is_float();
        switch (op) {
        case Op::div: out(index()) = floats ? clamp_result(a / b) : truncated_quotient(a, b); return;
        case Op::pow: out(index()) = power(a, b); return;
        case Op::floor_mod: out(index()) = floats ? float_remainder(a, b, true) : floor_remainder(a, b); return;
        case Op::trunc_mod: out(index()) = floats ? float_remainder(a, b, false) : a - truncated_quotient(a, b) * b; return;
        case Op::bit_and: out(index()) = a & b; return;
        case Op::bit_or: out(index()) = a | b; return;
        case Op::bit_xor: out(index()) = a ^ b; return;
        case Op::shift_left: out(index()) = a << shift_amount(b); return;
        case Op::shift_right: out(index()) = a >> shift_amount(b); return;
        }
    }

private:
    static constexpr double largest = 3.4028234663852886e38;

    Expr clamp_result(const Expr &x) const {
        const bool bounded = low > -largest || high < largest;
        return bounded ? clamp(x, cast(type, Expr(float(low))), cast(type, Expr(float(high)))) : x;
    }

    // The C library's function: Halide's own pow is less exact.
    static Expr power(const Expr &a, const Expr &b) { return Halide::Internal::Call::make(Float(32), "powf", {a, b}, Halide::Internal::Call::PureExtern); }

    Expr shift_amount(const Expr &b) const { return clamp(b, cast(type, 0), cast(type, type.value().bits() - 1)); }

    // Halide's quotient leaves a remainder of 0 or more; toward zero it is one step nearer to zero for negative a.
    Expr truncated_quotient(const Expr &a, const Expr &b) const {
        const Expr q = a / b;
        if (type.value().is_uint()) return q;
        const Expr one = cast(type, 1);
        return select(a < 0 && b != 0 && q * b != a, q + select(b > 0, one, -one), q);
    }

    // Halide's remainder is in [0, |b|).
    Expr floor_remainder(const Expr &a, const Expr &b) const {
        const Expr r = a % b;
        return type.value().is_uint() ? r : select(b < 0 && r != 0, r + b, r);
    }

    // a - q * b without rounding: q and b are split into halves whose products are exact. Where the rounded quotient is one too
    // far from zero the remainder has the wrong sign, and one b too much.
    Expr float_remainder(const Expr &a, const Expr &b, bool floor_mod) const {
        const auto upper = [](const Expr &x) { return reinterpret<float>(reinterpret<uint32_t>(x) & Expr(uint32_t{0xfffff000u})); };
        const Expr q = trunc(a / b), product = q * b, qh = upper(q), bh = upper(b), ql = q - qh, bl = b - bh;
        const Expr rounding = ((qh * bh - product) + qh * bl + ql * bh) + ql * bl;
        const Expr rest = (a - product) - rounding, size = abs(b);
        const Expr remainder = select(rest != 0.0f && (rest < 0.0f) != (a < 0.0f), select(a < 0.0f, rest - size, rest + size), rest);
        return strict_float(floor_mod ? select(remainder != 0.0f && (remainder < 0.0f) != (b < 0.0f), remainder + b, remainder) : remainder);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Binary, binary)
