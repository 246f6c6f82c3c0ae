// Instance normalisation: each channel of each image by itself.
//   out(c, p, b) = (in(c, p, b) - mean(c, b)) * (gamma(c) / sqrt(variance(c, b) + epsilon)) + beta(c); p counts the pixels
//
//   in, out      type (float32, float16 or bfloat16), (c, p, b)
//   gamma, beta  float32, (c)
// Numerics: float32, sums in the order of p; variance is the mean of squared differences. Source: ONNX InstanceNormalization.
//
// Schedule: tiles of channels; pixels are staged tile_p at a time, three times (mean, variance, result), so that any image fits.
#include "generators/tile.h"

namespace emulsion::generators {

class InstanceNorm : public emulsion::Generator<InstanceNorm> {
public:
    static constexpr const char *says = "Normalisation of each channel of each image.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<float> epsilon{"epsilon", 1e-5f};
    GeneratorParam<int> tile_c{"tile_c", 64};
    GeneratorParam<int> tile_p{"tile_p", 32};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Input<Buffer<float, 1>> gamma{"gamma"}, beta{"beta"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(3);
        out.set_type(type);
        out.set_dimensions(3);
    }

    void generate() {
        r = RDom(in.dim(1).min(), in.dim(1).extent(), "r");
        const Expr count = cast<float>(in.dim(1).extent());
        const Expr x = cast<float>(in(c, r, b));
        total(c, b) = 0.0f;
        total(c, b) += x;
        mean(c, b) = elementary::quotient(total(c, b), count);
        squares(c, b) = 0.0f;
        squares(c, b) += (x - mean(c, b)) * (x - mean(c, b));
        factor(c, b) = gamma(c) / sqrt(elementary::quotient(squares(c, b), count) + epsilon);
        out(c, p, b) = cast(type, (cast<float>(in(c, p, b)) - mean(c, b)) * factor(c, b) + beta(c));
    }

    void npu_schedule() {
        Var co("co"), ci("ci"), po("po"), pi("pi");
        Func(out).split(c, co, ci, tile_c, TailStrategy::GuardWithIf).split(p, po, pi, tile_p, TailStrategy::GuardWithIf).reorder(ci, pi, po, co, b);
        stage_out(out, depth);
        const LoopLevel strip(out, co), tile(out, po);
        for (Func f : {total, squares}) {
            RVar ro("ro"), ri("ri");
            compute_in_scratchpad(f, strip);
            f.update().split(r, ro, ri, tile_p).reorder(c, ri, b, ro);
            double_buffer(stage_in(in, f, {f, ro}), LoopLevel::root(), depth);
        }
        for (const Func &f : {mean, factor}) compute_in_scratchpad(f, strip);
        double_buffer(stage_in(in, out, tile), LoopLevel::root(), depth);
        stage_in(gamma, factor, strip);
        stage_in(beta, out, strip);
    }

private:
    Var c{"c"}, p{"p"}, b{"b"};
    RDom r;
    Func total{"total"}, mean{"mean"}, squares{"squares"}, factor{"factor"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::InstanceNorm, instance_norm)
