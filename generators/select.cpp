// Choice between two tensors: out = a where condition is not 0, else b.
//
//   condition  uint8, `rank` dimensions      a, b, out  type
//   bit d of condition_broadcast, a_broadcast, b_broadcast: the operand has extent 1 in dimension d
// Exact. Source: TFLite SELECT_V2, ONNX Where.
#include "generators/tile.h"

namespace emulsion::generators {

class Select : public emulsion::Generator<Select> {
public:
    static constexpr const char *says = "Elements of one tensor or another, by a condition.";

    GeneratorParam<Type> type{"type", Int(8)};
    GeneratorParam<int> rank{"rank", 1, 1, 6};
    GeneratorParam<int> condition_broadcast{"condition_broadcast", 0}, a_broadcast{"a_broadcast", 0}, b_broadcast{"b_broadcast", 0};
    GeneratorParam<int> tile_0{"tile_0", 1024}, tile_1{"tile_1", 16};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> condition{"condition"}, a{"a"}, b{"b"};
    Output<Buffer<>> out{"out"};

    void configure() {
        condition.set_type(UInt(8));
        a.set_type(type);
        b.set_type(type);
        out.set_type(type);
        for (auto *operand : {&condition, &a, &b}) operand->set_dimensions(rank);
        out.set_dimensions(rank);
    }

    void generate() {
        out(std::vector<Var>(index_, index_ + rank)) = Halide::select(at(condition, condition_broadcast) != 0, at(a, a_broadcast), at(b, b_broadcast));
    }

    void npu_schedule() {
        std::vector<int> sizes(rank, 1);
        sizes[0] = tile_0;
        if (rank > 1) sizes[1] = tile_1;
        const Tiling tiling = tile_output(out, sizes, depth);
        for (const Func &operand : {Func(condition), Func(a), Func(b)}) stage_tile(operand, out, tiling, depth);
    }

private:
    const Var index_[6] = {Var("i"), Var("j"), Var("k"), Var("l"), Var("m"), Var("n")};

    Expr at(const Func &operand, int broadcast) const {
        std::vector<Expr> place;
        for (int d = 0; d < rank; d++) place.push_back((broadcast >> d) & 1 ? Expr(0) : Expr(index_[d]));
        return operand(place);
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Select, select)
