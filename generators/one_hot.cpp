// One-hot vectors: out(i, d, o) = on where indices(i, o) = d, else off.
//
//   indices  index_type (int32, int64), (inner, outer); with `wrap` negative ones count from the end
//   out      type, (inner, depth, outer)
// Source: TFLite ONE_HOT (no wrap), ONNX OneHot (wrap).
#include "generators/tile.h"

namespace emulsion::generators {

class OneHot : public emulsion::Generator<OneHot> {
public:
    static constexpr const char *says = "Vectors with one element on.";

    GeneratorParam<Type> type{"type", Float(32)};
    GeneratorParam<Type> index_type{"index_type", Int(32)};
    GeneratorParam<double> on{"on", 1.0}, off{"off", 0.0};
    GeneratorParam<bool> wrap{"wrap", false};
    GeneratorParam<int> tile_i{"tile_i", 64}, tile_d{"tile_d", 64}, tile_o{"tile_o", 1};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> indices{"indices"};
    Output<Buffer<>> out{"out"};

    void configure() {
        indices.set_type(index_type);
        indices.set_dimensions(2);
        out.set_type(type);
        out.set_dimensions(3);
    }

    void generate() {
        Expr index = Func(indices)(i, o);
        if (wrap) index = select(index < 0, index + cast(index_type, out.dim(1).extent()), index);
        out(i, d, o) = select(index == cast(index_type, d), cast(type, Expr(on.value())), cast(type, Expr(off.value())));
    }

    void npu_schedule() { stage_tile(indices, out, tile_output(out, {tile_i, tile_d, tile_o}, depth), depth); }

private:
    Var i{"i"}, d{"d"}, o{"o"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::OneHot, one_hot)
