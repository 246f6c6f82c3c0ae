// Logarithm of softmax over dimension 0: out(i, j) = in(i, j) - max(j) - log(sum over i of exp(in(i, j) - max(j))).
//
//   in, out  type (float32, float16 or bfloat16), (i, j): j counts the rows (flatten the other dimensions)
// Numerics: float32 throughout, the sum in the order of i. Source: TFLite reference LOG_SOFTMAX, ONNX LogSoftmax.
#include "generators/tile.h"

namespace emulsion::generators {

class LogSoftmax : public emulsion::Generator<LogSoftmax> {
public:
    static constexpr const char *says = "Logarithm of softmax over the innermost dimension.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<int> tile_j{"tile_j", 4};  ///< rows of a tile
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
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
        largest(j) = type.value().min();
        largest(j) = max(largest(j), in(r, j));
        const auto difference = [&](const Expr &at) { return cast<float>(in(at, j)) - cast<float>(largest(j)); };
        total(j) = 0.0f;
        total(j) += elementary::exp(difference(r), form());
        logarithm(j) = elementary::log(total(j), form());
        out(i, j) = cast(type, difference(i) - logarithm(j));
    }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {0, tile_j}, depth);
        for (const Func &f : {largest, total, logarithm}) compute_in_scratchpad(f, tiling.tile);
        double_buffer(stage_in(in, tiling.tile), tiling.around, depth);
    }

private:
    Var i{"i"}, j{"j"};
    Func largest{"largest"}, total{"total"}, logarithm{"logarithm"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::LogSoftmax, log_softmax)
