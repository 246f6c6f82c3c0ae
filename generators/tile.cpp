#include "generators/tile.h"

namespace emulsion::generators {

Tiling tile_output(Halide::Func out, const std::vector<int> &sizes, int depth, std::source_location at) {
    Tiling tiling;
    std::vector<Halide::VarOrRVar> order;
    const std::vector<Halide::Var> args = out.args();
    for (size_t d = 0; d < args.size(); d++) {
        Halide::Var inner = args[d];
        if (sizes[d] > 0) {
            Halide::Var outer(args[d].name() + "o");
            inner = Halide::Var(args[d].name() + "i");
            out.split(args[d], outer, inner, sizes[d], Halide::TailStrategy::GuardWithIf);
            tiling.outer.push_back(outer);
        }
        tiling.inner.push_back(inner);
        order.emplace_back(inner);
    }
    for (const Halide::Var &v : tiling.outer) order.emplace_back(v);
    out.reorder(order);
    tiling.tile = Halide::LoopLevel(out, tiling.outer.front());
    tiling.around = Halide::LoopLevel::root();
    stage_out(out, depth, at);
    return tiling;
}

Tiling tile_rows(Halide::Func out, int size, int depth, std::source_location at) {
    std::vector<int> sizes(out.dimensions(), 1);
    sizes[0] = size;
    return tile_output(out, sizes, depth, at);
}

Halide::Func stage_tile(Halide::Func source, Halide::Func consumer, const Tiling &tiling, int depth, std::source_location at) {
    Halide::Func staged = stage_in(source, consumer, tiling.tile, at);
    double_buffer(staged, tiling.around, depth, at);
    return staged;
}

}  // namespace emulsion::generators
