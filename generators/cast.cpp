// Conversion of element types: out = in as out_type.
//
//   in   in_type, 1 dimension      out  out_type, shape of in
// C conversion: integers wrap, floats lose their fraction; with `saturate` clamped to out_type's range. to_boolean: 1 where in is not 0.
// Floats beyond the range of int32 (int64 for 64-bit results) have no defined integer. Source: TFLite CAST, ONNX Cast.
#include "generators/tile.h"

namespace emulsion::generators {

class Cast : public emulsion::Generator<Cast> {
public:
    static constexpr const char *says = "Conversion of element types.";

    GeneratorParam<Type> in_type{"in_type", Float(32)};
    GeneratorParam<Type> out_type{"out_type", Int(32)};
    GeneratorParam<bool> saturate{"saturate", false}, to_boolean{"to_boolean", false};
    GeneratorParam<int> tile{"tile", 4096};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(1);
        out.set_type(out_type);
        out.set_dimensions(1);
    }

    void generate() {
        const Expr x = Func(in)(i);
        if (to_boolean) out(i) = cast(out_type, x != cast(in_type, 0));
        else out(i) = saturate ? saturating_cast(out_type, x) : converted(x);
    }

    void npu_schedule() { stage_tile(in, out, tile_rows(out, tile, depth), depth); }

private:
    Var i{"i"};

    // A float goes to a narrow integer by way of a wide one, so that what does not fit wraps as it does between integers.
    Expr converted(const Expr &x) const {
        const Type to = out_type;
        if (!x.type().is_float() || to.is_float() || to.bits() == 64) return cast(to, x);
        return cast(to, to == UInt(32) ? cast<int64_t>(x) : cast<int32_t>(x));
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Cast, cast)
