// Quantised integers to floats: out = scale * (in - zero_point).
//
//   in          in_type (8 or 16 bits, int32), `rank` dimensions
//   scale       float32, 1 element, or one per coordinate of dimension `axis` with per_channel
//   zero_point  int32, shape of scale
//   out         float32, shape of in
// One float32 multiplication of an exact integer. Source: TFLite reference DEQUANTIZE, ONNX DequantizeLinear.
#include "generators/tile.h"

namespace emulsion::generators {

class Dequantize : public emulsion::Generator<Dequantize> {
public:
    static constexpr const char *says = "Quantised integers to floats.";

    GeneratorParam<Type> in_type{"in_type", Int(8)};
    GeneratorParam<int> rank{"rank", 1};
    GeneratorParam<bool> per_channel{"per_channel", false};
    GeneratorParam<int> axis{"axis", 0};
    GeneratorParam<int> tile{"tile", 4096};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Input<Buffer<float, 1>> scale{"scale"};
    Input<Buffer<int32_t, 1>> zero_point{"zero_point"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(rank);
        out.set_type(Float(32));
        out.set_dimensions(rank);
    }

    void generate() {
        const std::vector<Var> index(index_, index_ + rank);
        const Expr channel = per_channel ? Expr(index_[axis]) : Expr(0);
        out(index) = dequantize(Func(in)(index), scale(channel), zero_point(channel));
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

EMULSION_REGISTER_GENERATOR(emulsion::generators::Dequantize, dequantize)
