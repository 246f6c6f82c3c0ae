// Reductions: out(i, j, k, l) = op over the reduced dimensions of in; reduced dimensions have extent 1 in out.
//
//   in, out  in_type, out_type; 4 dimensions (pad with extents of 1); `axes`: bit d set = dimension d is reduced; one at least
//   op       sum mean max min prod; sum_square l1 l2 log_sum log_sum_exp: sums of a function, and a function of the sum
// Integers: sum and mean are requantize(sum(in - in_zero), multiplier, shift) + out_zero, where the multiplier of a mean
// includes 1/count; int32 sums must not overflow. Out type int32 for sum: the plain sum of in - in_zero, no multiplier.
// max, min and prod keep the type; the sums of functions are for floats. log_sum_exp takes the exponentials as they are. Floats: float32 sum in the order of the dimensions, divided by the count for mean.
//   multiplier, shift   scalar inputs int32, only where requantised
// Source: TFLite reference MEAN, SUM, REDUCE_MAX, REDUCE_MIN (mode double in shipped builds).
//
// Schedule: tiles of the kept dimensions; reduced dimensions are staged a row of dimension 0 and one index of the others at a
// time, so that any extent fits.
#include "generators/tile.h"

namespace emulsion::generators {

class Reduce : public emulsion::Generator<Reduce> {
public:
    static constexpr const char *says = "Sum, mean, maximum, minimum, product or norm over any dimensions.";

    enum class Op { sum, mean, max, min, prod, sum_square, l1, l2, log_sum, log_sum_exp };
    GeneratorParam<Op> op{"op", Op::mean, {{"sum", Op::sum}, {"mean", Op::mean}, {"max", Op::max}, {"min", Op::min}, {"prod", Op::prod},
                                           {"sum_square", Op::sum_square}, {"l1", Op::l1}, {"l2", Op::l2}, {"log_sum", Op::log_sum},
                                           {"log_sum_exp", Op::log_sum_exp}}};
    GeneratorParam<Type> in_type{"in_type", Int(8)};
    GeneratorParam<Type> out_type{"out_type", Int(8)};
    GeneratorParam<int> axes{"axes", 6};
    GeneratorParam<int> in_zero{"in_zero", 0};
    GeneratorParam<int> out_zero{"out_zero", 0};
    GeneratorParam<std::string> rounding_mode{"rounding", "double"};
    GeneratorParam<int> tile_0{"tile_0", 256};  ///< elements of dimension 0 staged at a time
    GeneratorParam<int> tile_1{"tile_1", 16};   ///< elements of dimension 1
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(rank);
        out.set_type(out_type);
        out.set_dimensions(rank);
        if (!requantizes()) return;
        multiplier = add_input<int32_t>("multiplier");
        shift = add_input<int32_t>("shift");
    }

    void generate() {
        Halide::Region box;
        for (int d = 0; d < rank; d++)
            if (reduced(d)) box.emplace_back(in.dim(d).min(), in.dim(d).extent());
        r = RDom(box, "r");
        const std::vector<Var> index(index_, index_ + rank);
        std::vector<Expr> source;
        for (int d = 0, next = 0; d < rank; d++) source.push_back(reduced(d) ? Expr(r[next++]) : Expr(index_[d]));
        const Expr x = Func(in)(source);
        if (op == Op::max || op == Op::min) {
            total(index) = op == Op::max ? in_type.value().min() : in_type.value().max();
            total(index) = op == Op::max ? max(total(index), x) : min(total(index), x);
        } else if (op == Op::prod) {
            total(index) = cast(wide(), 1);
            total(index) *= cast(wide(), x);
        } else {
            total(index) = cast(wide(), 0);
            total(index) += floating() ? summand(cast<float>(x)) : summand(cast<int32_t>(x) - in_zero);
        }
        out(index) = finish(total(index));
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {reduced(0) ? 1 : int(tile_0), reduced(1) ? 1 : int(tile_1), 1, 1}, depth);
        compute_in_scratchpad(total, tiling.tile);
        // Reduced dimensions outside the first two stay loops around the staged slice.
        RVar ro[2] = {RVar("r0o"), RVar("r1o")}, ri[2] = {RVar("r0i"), RVar("r1i")};
        std::vector<Halide::VarOrRVar> inner, outer;
        const int tile[2] = {tile_0, tile_1};
        for (int d = 0, next = 0; d < rank; d++) {
            if (!reduced(d)) continue;
            const RVar whole = r[next++];
            // Integers may be added in any order; floats keep the order of the dimensions, so only the first is cut.
            if (d < 2 && (outer.empty() || !floating())) {
                total.update().split(whole, ro[d], ri[d], tile[d]);
                inner.emplace_back(ri[d]);
                outer.emplace_back(ro[d]);
            } else {
                outer.emplace_back(whole);
            }
        }
        const Halide::VarOrRVar level = outer.front();
        inner.insert(inner.end(), index_, index_ + rank);
        inner.insert(inner.end(), outer.begin(), outer.end());
        total.update().reorder(inner);
        double_buffer(stage_in(in, total, {total, level}), tiling.around, depth);
    }

private:
    static constexpr int rank = 4;
    const Var index_[rank] = {Var("i"), Var("j"), Var("k"), Var("l")};
    RDom r;
    Func total{"total"};
    Input<int32_t> *multiplier = nullptr, *shift = nullptr;

    bool reduced(int d) const { return (int(axes) >> d) & 1; }
    bool floating() const { return !in_type.value().is_int_or_uint(); }
    Type wide() const { return floating() ? Float(32) : Int(32); }
    bool sums() const { return op == Op::sum || op == Op::mean; }
    bool requantizes() const { return sums() && !floating() && out_type.value().bits() < 32; }

    Expr summand(const Expr &x) const {
        switch (op.value()) {
        case Op::sum_square: case Op::l2: return x * x;
        case Op::l1: return cast(x.type(), abs(x));
        case Op::log_sum_exp: return elementary::exp(x, form());
        default: return x;
        }
    }

    Expr finish(Expr x) {
        if (op == Op::l2) return cast(out_type, sqrt(x));
        if (op == Op::log_sum || op == Op::log_sum_exp) return cast(out_type, elementary::log(x, form()));
        if (requantizes())
            return requantize_to(out_type, x, *multiplier, *shift, rounding(rounding_mode.value()), int(out_zero), form());
        if (op == Op::mean && floating()) {
            Expr count = 1;
            for (int d = 0; d < rank; d++)
                if (reduced(d)) count *= in.dim(d).extent();
            x = elementary::quotient(x, count);
        }
        return cast(out_type, x);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Reduce, reduce)
