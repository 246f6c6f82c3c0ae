// Softmax over dimension 0: out(i, j) = exp(beta * in(i, j)) / sum over i of exp(beta * in(i, j)).
//
//   in, out  in_type, out_type, (i, j): j counts the rows (flatten the other dimensions)
// Floats: exp(beta * (in - max)), float32 sum in the order of i, one division per element. TFLite's reference kernel rounds exp in
// float32, here it is rounded from double precision: their results may differ in the last bit.
// Integers (int8, uint8; out of the same type with scale 1/256 and zero point at the type's smallest value; beta is in the
// table): gemmlowp fixed point, exactly the bits of TFLite's reference SOFTMAX:
//   table  int32, 256 entries: entry d = exp(-d * beta * in_scale) in Q0.31 (generators/tables.h)
// Rows of more than 4096 elements overflow its Q12.19 sum, as in TFLite.
#include "generators/tile.h"

namespace emulsion::generators {

class Softmax : public emulsion::Generator<Softmax> {
public:
    static constexpr const char *says = "Softmax over the innermost dimension.";

    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<float> beta{"beta", 1.0f};  ///< floats only
    GeneratorParam<int> tile_j{"tile_j", 4};   ///< rows of a tile
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(2);
        out.set_type(type);
        out.set_dimensions(2);
        if (!floating()) table = add_input<Buffer<>>("table", Int(32), 1);
    }

    void generate() {
        out.dim(0).set_bounds(in.dim(0).min(), in.dim(0).extent());
        r = RDom(in.dim(0).min(), in.dim(0).extent(), "r");
        largest(j) = type.value().min();
        largest(j) = max(largest(j), in(r, j));
        if (floating())
            generate_float();
        else
            generate_integer();
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {0, tile_j}, depth);
        for (const Func &f : {largest, power, total}) compute_in_scratchpad(f, tiling.tile);
        for (const Func &f : reciprocal) compute_in_scratchpad(f, tiling.tile);
        double_buffer(stage_in(in, tiling.tile), tiling.around, depth);
        if (table) keep_resident(*table);
    }

private:
    Var i{"i"}, j{"j"};
    RDom r;
    Func largest{"largest"}, power{"power"}, total{"total"};
    std::vector<Func> reciprocal;  ///< of a row's sum: one Func per step, so that each stays a short expression
    Input<Buffer<>> *table = nullptr;

    bool floating() const { return !type.value().is_int_or_uint(); }

    void generate_float() {
        power(i, j) = elementary::exp((cast<float>(in(i, j)) - cast<float>(largest(j))) * beta, form());
        total(j) = 0.0f;
        total(j) += power(r, j);
        out(i, j) = cast(type, power(i, j) / total(j));
    }

    void generate_integer() {
        constexpr int sum_integer_bits = 12;
        const Expr difference = cast<int32_t>(largest(j)) - cast<int32_t>(in(i, j));
        power(i, j) = (*table)(max(difference, 0));
        total(j) = 0;
        total(j) += rounding_divide(power(r, j), sum_integer_bits);

        const Expr headroom = cast<int32_t>(count_leading_zeros(total(j)));
        // The leading one of the sum is the integer part; the bits after it are the fraction, in Q0.31.
        const Expr fraction = cast<int32_t>((cast<uint32_t>(total(j)) << cast<uint32_t>(headroom)) & cast<uint32_t>(0x7fffffff));
        const Expr quotient = high_multiply(one_over_one_plus(fraction), power(i, j));
        const Expr q = rounding_divide(quotient, sum_integer_bits - headroom + 31 - 8);
        out(i, j) = saturating_cast(type, q + cast<int32_t>(type.value().min()));
    }

    /// gemmlowp SaturatingRoundingDoublingHighMul and RoundingDivideByPOT.
    Expr high_multiply(const Expr &a, const Expr &b) const { return emulsion::requantize(a, b, 31, Rounding::double_, form()); }
    Expr rounding_divide(const Expr &x, const Expr &exponent) const {
        return emulsion::requantize(x, 1, exponent, Rounding::half_away, form());
    }

    Expr step(const char *name, const Expr &value) {
        reciprocal.emplace_back(name);
        reciprocal.back()(j) = value;
        return reciprocal.back()(j);
    }

    /// gemmlowp one_over_one_plus_x_for_x_in_0_1: 1 / (1 + a) in Q0.31 by three Newton-Raphson steps in Q2.29.
    Expr one_over_one_plus(const Expr &a) {
        constexpr int32_t one = 1 << 29, q48_over_17 = 1515870810, minus_q32_over_17 = -1010580540;
        const auto times = [](const Expr &x, int factor) { return saturating_cast<int32_t>(cast<int64_t>(x) * factor); };
        // RoundingHalfSum with 1.0 in Q0.31, that is 2^31 - 1; the sum is positive.
        const Expr half = step("half_denominator", cast<int32_t>((cast<int64_t>(a) + (cast<int64_t>(1) << 31)) / 2));
        Expr x = step("estimate", q48_over_17 + high_multiply(half, minus_q32_over_17));
        for (int n = 0; n < 3; n++) {
            const Expr error = step("error", one - high_multiply(half, x));
            x = step("estimate", x + times(high_multiply(x, error), 4));  // the Q4 product back to Q2
        }
        return step("scale", times(x, 2));  // Q2 halved is Q1; to Q0
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Softmax, softmax)
