// From one quantisation to another: out = saturate(requantize(in - in_zero, multiplier, shift) + out_zero).
//
//   in                 in_type (8, 16 or 32 bits), `rank` dimensions
//   multiplier, shift  scalars int32, or one multiplier float32 with rounding rne_f32
//   out                out_type (8 or 16 bits), shape of in
// Source: TFLite reference QUANTIZE between integers (mode double in shipped builds).
#include "generators/tile.h"

namespace emulsion::generators {

class Requantize : public emulsion::Generator<Requantize> {
public:
    static constexpr const char *says = "Integers of one quantisation to another.";

    GeneratorParam<Type> in_type{"in_type", Int(8)};
    GeneratorParam<Type> out_type{"out_type", Int(8)};
    GeneratorParam<int> rank{"rank", 1};
    GeneratorParam<int> in_zero{"in_zero", 0};
    GeneratorParam<int> out_zero{"out_zero", 0};
    GeneratorParam<std::string> rounding_mode{"rounding", "double"};
    GeneratorParam<int> tile{"tile", 4096};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(rank);
        out.set_type(out_type);
        out.set_dimensions(rank);
        if (mode() == Rounding::rne_f32) {
            scale = add_input<float>("multiplier");
        } else {
            multiplier = add_input<int32_t>("multiplier");
            shift = add_input<int32_t>("shift");
        }
    }

    void generate() {
        const std::vector<Var> index(index_, index_ + rank);
        const Expr x = cast<int32_t>(Func(in)(index)) - in_zero;
        out(index) = scale ? requantize_to(out_type, x, *scale, Expr(), mode(), int(out_zero), form())
                           : requantize_to(out_type, x, *multiplier, *shift, mode(), int(out_zero), form());
    }

    void npu_schedule() { stage_tile(in, out, tile_rows(out, tile, depth), depth); }

private:
    const Var index_[6] = {Var("i"), Var("j"), Var("k"), Var("l"), Var("m"), Var("n")};
    Input<int32_t> *multiplier = nullptr, *shift = nullptr;
    Input<float> *scale = nullptr;

    Rounding mode() const { return rounding(rounding_mode.value()); }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Requantize, requantize)
