// Activation by table: out(i, ...) = table(in(i, ...)), for any function of an 8-bit value.
//
//   in     in_type (int8 or uint8), `rank` dimensions
//   table  out_type, 256 entries, from the smallest value of in_type on
//   out    out_type, shape of in
// Numerics: exact; the table holds the rounding. Source: TFLite LUTPopulate (tanh, logistic, hard swish, leaky relu...).
#include "generators/tile.h"

namespace emulsion::generators {

class Activation : public emulsion::Generator<Activation> {
public:
    static constexpr const char *says = "Any function of an 8-bit tensor, by a table of 256 entries.";

    GeneratorParam<Halide::Type> in_type{"in_type", Int(8)};
    GeneratorParam<Halide::Type> out_type{"out_type", Int(8)};
    GeneratorParam<int> rank{"rank", 1};
    GeneratorParam<int> tile{"tile", 16384};  ///< elements of a tile, innermost dimension
    GeneratorParam<int> depth{"depth", 3};    ///< slots of input and output tiles

    Input<Buffer<>> in{"in"};
    Input<Buffer<>> table{"table"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(rank);
        table.set_type(out_type);
        table.set_dimensions(1);
        out.set_type(out_type);
        out.set_dimensions(rank);
    }

    void generate() {
        table.dim(0).set_bounds(0, 256);
        const std::vector<Var> index(index_, index_ + rank);
        const Func values = in;
        out(index) = lookup(table, values(index));
    }

    void npu_schedule() {
        const Tiling tiling = tile_rows(out, tile, depth);
        stage_tile(in, out, tiling, depth);
        keep_resident(table, out);
    }

private:
    const Var index_[6] = {Var("i"), Var("j"), Var("k"), Var("l"), Var("m"), Var("n")};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Activation, activation)
