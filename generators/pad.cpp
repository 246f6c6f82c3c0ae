// Padding: out(i, j, …) = in(i - before_0, j - before_1, …), outside `in` by `mode`; a negative `before` crops.
//
//   in, out  type, `rank` dimensions; elements after the last follow from out's extents
//   mode     constant (value), edge (nearest element), reflect (edge not repeated), symmetric (edge repeated)
// Exact. Source: TFLite reference PAD, PADV2, MIRROR_PAD; ONNX Pad.
#include "generators/tile.h"

namespace emulsion::generators {

class Pad : public emulsion::Generator<Pad> {
public:
    static constexpr const char *says = "Elements added around a tensor.";

    enum class Mode { constant, edge, reflect, symmetric };
    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<Mode> mode{"mode", Mode::constant, {{"constant", Mode::constant}, {"edge", Mode::edge}, {"reflect", Mode::reflect}, {"symmetric", Mode::symmetric}}};
    GeneratorParam<double> value{"value", 0.0};
    GeneratorParam<int> before_0{"before_0", 0}, before_1{"before_1", 0}, before_2{"before_2", 0}, before_3{"before_3", 0}, before_4{"before_4", 0}, before_5{"before_5", 0};
    GeneratorParam<int> rank{"rank", 4, 1, 6};
    GeneratorParam<int> axes{"axes", 63};  ///< bit d clear: dimension d is not padded, and is not bounded
    GeneratorParam<int> tile_0{"tile_0", 1024};
    GeneratorParam<int> tile_1{"tile_1", 16};
    GeneratorParam<int> depth{"depth", 3};

    Input<Buffer<>> in{"in"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(type);
        in.set_dimensions(rank);
        out.set_type(type);
        out.set_dimensions(rank);
    }

    void generate() {
        const int before[] = {before_0, before_1, before_2, before_3, before_4, before_5};
        Halide::Region box = boundary::whole(in);
        std::vector<Expr> place;
        for (int d = 0; d < rank; d++) {
            if (!((int(axes) >> d) & 1)) box[d] = {Expr(), Expr()};
            place.push_back(index_[d] - before[d]);
        }
        padded = bounded(box);
        out(std::vector<Var>(index_, index_ + rank)) = padded(place);
    }

    void npu_schedule() {
        std::vector<int> sizes(rank, 1);
        sizes[0] = tile_0;
        if (rank > 1) sizes[1] = tile_1;
        const Tiling tiling = tile_output(out, sizes, depth);
        compute_in_scratchpad(padded, tiling.tile);
        double_buffer(padded, tiling.around, depth);
    }

private:
    const Var index_[6] = {Var("i"), Var("j"), Var("k"), Var("l"), Var("m"), Var("n")};
    Func padded;

    Func bounded(const Halide::Region &box) {
        switch (mode.value()) {
        case Mode::edge: return boundary::repeat_edge(in, box, form());
        case Mode::reflect: return boundary::mirror_interior(in, box, form());
        case Mode::symmetric: return boundary::mirror_image(in, box, form());
        default: return boundary::constant_exterior(in, Expr(value.value()), box, form());
        }
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Pad, pad)
