// A factor and an offset per channel: out(c, r) = in(c, r) * scale(c) + offset(c); r counts everything else.
//
//   in, out        type (float32, float16 or bfloat16), (c, r)
//   scale, offset  float32, (c)
// Numerics: float32, product and sum round separately. Source: ONNX BatchNormalization with constant statistics.
#include "generators/tile.h"

namespace emulsion::generators {

class ChannelAffine : public emulsion::Generator<ChannelAffine> {
public:
    static constexpr const char *says = "Factor and offset per channel: batch normalisation.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<int> tile_c{"tile_c", 256};
    GeneratorParam<int> tile_r{"tile_r", 16};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Input<Buffer<float, 1>> scale{"scale"}, offset{"offset"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(2);
        out.set_type(type);
        out.set_dimensions(2);
    }

    void generate() { out(c, r) = cast(type, cast<float>(in(c, r)) * scale(c) + offset(c)); }

    void npu_schedule() {
        const Tiling tiling = tile_output(out, {tile_c, tile_r}, depth);
        stage_tile(in, out, tiling, depth);
        stage_tile(scale, out, tiling, 1);
        stage_tile(offset, out, tiling, 1);
    }

private:
    Var c{"c"}, r{"r"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::ChannelAffine, channel_affine)
