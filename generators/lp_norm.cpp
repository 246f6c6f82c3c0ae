// Division by the norm along an axis: out(i, k, o) = in(i, k, o) / norm(i, o), k counts along the axis, i inside it, o outside.
//   p 1: norm = sum of |in|;  p 2: norm = sqrt(sum of in * in);  not below `epsilon`; where it is 0 the result is 0
//
//   in, out  type (float32, float16 or bfloat16), (i, k, o)
// Numerics: float32, the sum in the order of k. Source: ONNX LpNormalization, TFLite reference L2_NORMALIZATION.
#include "generators/tile.h"

namespace emulsion::generators {

class LpNorm : public emulsion::Generator<LpNorm> {
public:
    static constexpr const char *says = "Division by the 1-norm or 2-norm along an axis.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<int> p{"p", 2};
    GeneratorParam<float> epsilon{"epsilon", 0.0f};
    GeneratorParam<int> tile_i{"tile_i", 64}, tile_k{"tile_k", 64};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(3);
        out.set_type(type);
        out.set_dimensions(3);
    }

    void generate() {
        r = RDom(in.dim(1).min(), in.dim(1).extent(), "r");
        const Expr x = cast<float>(in(i, r, o));
        total(i, o) = 0.0f;
        total(i, o) += p == 1 ? abs(x) : x * x;
        norm(i, o) = max(p == 1 ? Expr(total(i, o)) : sqrt(total(i, o)), float(epsilon));
        const Expr quotient = cast<float>(in(i, k, o)) / norm(i, o);
        out(i, k, o) = cast(type, select(norm(i, o) == 0.0f, 0.0f, quotient));
    }

    void npu_schedule() {
        Var io("io"), ii("ii"), ko("ko"), ki("ki");
        Func(out).split(i, io, ii, tile_i, TailStrategy::GuardWithIf).split(k, ko, ki, tile_k, TailStrategy::GuardWithIf).reorder(ii, ki, ko, io, o);
        stage_out(out, depth);
        const LoopLevel strip(out, io), tile(out, ko);
        RVar ro("ro"), ri("ri");
        compute_in_scratchpad(total, strip);
        total.update().split(r, ro, ri, tile_k).reorder(i, ri, o, ro);
        double_buffer(stage_in(in, total, {total, ro}), LoopLevel::root(), depth);
        compute_in_scratchpad(norm, strip);
        double_buffer(stage_in(in, out, tile), LoopLevel::root(), depth);
    }

private:
    Var i{"i"}, k{"k"}, o{"o"};
    RDom r;
    Func total{"total"}, norm{"norm"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::LpNorm, lp_norm)
