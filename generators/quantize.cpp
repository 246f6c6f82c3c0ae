// Floats to quantised integers: out = saturate(round(in / scale) + zero_point).
//
//   in          float32, `rank` dimensions
//   scale       float32, 1 element, or one per coordinate of dimension `axis` with per_channel
//   zero_point  int32, shape of scale
//   out         out_type (8 or 16 bits), shape of in
// Ties: away (TFLite) or even (ONNX). Source: TFLite reference QUANTIZE, ONNX QuantizeLinear.
#include "generators/tile.h"

namespace emulsion::generators {

class Quantize : public emulsion::Generator<Quantize> {
public:
    static constexpr const char *says = "Floats to quantised integers.";

    GeneratorParam<Type> out_type{"out_type", Int(8)};
    GeneratorParam<int> rank{"rank", 1};
    GeneratorParam<bool> per_channel{"per_channel", false};
    GeneratorParam<int> axis{"axis", 0};
    GeneratorParam<Ties> ties{"ties", Ties::away, {{"away", Ties::away}, {"even", Ties::even}}};
    GeneratorParam<int> tile{"tile", 4096};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Input<Buffer<float, 1>> scale{"scale"};
    Input<Buffer<int32_t, 1>> zero_point{"zero_point"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(Float(32));
        in.set_dimensions(rank);
        out.set_type(out_type);
        out.set_dimensions(rank);
    }

    void generate() {
        const std::vector<Var> index(index_, index_ + rank);
        const Expr channel = per_channel ? Expr(index_[axis]) : Expr(0);
        out(index) = quantize(out_type, Func(in)(index), scale(channel), zero_point(channel), ties);
    }

    void npu_schedule() {
        const Tiling tiling = tile_rows(out, tile, depth);
        stage_tile(in, out, tiling, depth);
        stage_tile(scale, out, tiling, 1);
        stage_tile(zero_point, out, tiling, 1);
    }

private:
    const Var index_[6] = {Var("i"), Var("j"), Var("k"), Var("l"), Var("m"), Var("n")};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Quantize, quantize)
