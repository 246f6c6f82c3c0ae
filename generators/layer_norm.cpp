// Layer normalisation over dimension 0:
//   out(i, j) = (in(i, j) - mean(j)) / sqrt(variance(j) + epsilon) * gamma(i) + beta(i)
//
//   in, out      type (float32, float16 or bfloat16), (i, j): j counts the rows (flatten the other dimensions)
//   gamma, beta  float32, (i)
// Numerics: float32 throughout, sums in the order of i; variance is the mean of squared differences. Within 16 ulp of double
// precision where the result does not cancel. Source: ONNX LayerNormalization.
#include "generators/tile.h"

namespace emulsion::generators {

class LayerNorm : public emulsion::Generator<LayerNorm> {
public:
    static constexpr const char *says = "Layer normalisation over the innermost dimension.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<float> epsilon{"epsilon", 1e-5f};
    GeneratorParam<int> tile_j{"tile_j", 4};  ///< rows of a tile
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Input<Buffer<float, 1>> gamma{"gamma"};
    Input<Buffer<float, 1>> beta{"beta"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(2);
        out.set_type(type);
        out.set_dimensions(2);
    }

    void generate() {
        out.dim(0).set_bounds(in.dim(0).min(), in.dim(0).extent());
        RDom r(in.dim(0).min(), in.dim(0).extent(), "r");
        const Expr count = cast<float>(in.dim(0).extent());
        total(j) = 0.0f;
        total(j) += cast<float>(in(r, j));
        mean(j) = elementary::quotient(total(j), count);
        const Expr difference = cast<float>(in(r, j)) - mean(j);
        squares(j) = 0.0f;
        squares(j) += difference * difference;
        deviation(j) = sqrt(elementary::quotient(squares(j), count) + epsilon);
        out(i, j) = cast(type, (cast<float>(in(i, j)) - mean(j)) / deviation(j) * gamma(i) + beta(i));
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {0, tile_j}, depth);
        for (const Func &f : {total, mean, squares, deviation}) compute_in_scratchpad(f, tiling.tile);
        double_buffer(stage_in(in, tiling.tile), tiling.around, depth);
        keep_resident(gamma);
        keep_resident(beta);
    }

private:
    Var i{"i"}, j{"j"};
    Func total{"total"}, mean{"mean"}, squares{"squares"}, deviation{"deviation"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::LayerNorm, layer_norm)
