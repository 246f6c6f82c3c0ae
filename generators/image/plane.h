// What image kernels share: pictures as planes, edges, tiles of rows, and the stages between input and output.
//
//   in, out  u8, (x, y) or (x, y, c): x innermost, channels outermost. Extents are free. Outside `in` its edge repeats, unless
//            a kernel says otherwise.
#pragma once
#include "generators/tile.h"

#include <string>
#include <vector>

namespace emulsion::generators {

struct PlaneTile {
    int x = 0, y = 0;  ///< even
};

/// The widest and highest tile of `bytes` scratchpad bytes a pixel that fits three quarters of the scratchpad with a border of
/// 16 rows and 32 columns: up to 2048 x 64, at least 16 rows as long as it is wider than 64.
PlaneTile plane_tile(const TargetDesc &machine, int bytes);

/// The Funcs between input and output, in order of definition, each one operation of the vector unit.
class Stages {
public:
    /// A Func of (x, y) called `name` that will be computed once per tile.
    Halide::Func add(const std::string &name, const Halide::Expr &value);
    Halide::Func add(const Halide::Func &f) { return funcs_.emplace_back(f); }

    const std::vector<Halide::Func> &funcs() const { return funcs_; }
    /// Scratchpad bytes of one pixel of every stage.
    int bytes() const;

    Halide::Var x{"x"}, y{"y"};

private:
    std::vector<Halide::Func> funcs_;
};

/// f(x, y) + f(x + step, y), and the same in y: one addition; doubling steps build sums of 2, 4, 8... pixels, equal steps
/// build binomial weights.
Halide::Func pair_x(Stages &stages, const std::string &name, const Halide::Func &f, int step = 1);
Halide::Func pair_y(Stages &stages, const std::string &name, const Halide::Func &f, int step = 1);

template<typename T>
class PlaneKernel : public emulsion::Generator<T> {
public:
    Halide::GeneratorParam<int> tile_x{"tile_x", 0}, tile_y{"tile_y", 0};  ///< 0: from the machine
    Halide::GeneratorParam<int> depth{"depth", 2};                        ///< slots of input and output tiles

    Halide::GeneratorInput<Halide::Buffer<>> in{"in"};
    Halide::GeneratorOutput<Halide::Buffer<>> out{"out"};

    void npu_schedule() { schedule_tiles(); }

    /// Stages on their own and in vectors, as a CPU likes it; the output stays scalar so that any extent will do.
    void cpu_schedule() {
        for (Halide::Func f : stages.funcs()) f.compute_root().vectorize(stages.x, 16);
    }

protected:
    Stages stages;
    Halide::Var &x = stages.x, &y = stages.y;
    Halide::Var c{"c"};
    Halide::Func edge;  ///< the input with its border, staged

    void set_planes(int in_dimensions, int out_dimensions) {
        in.set_type(Halide::UInt(8));
        in.set_dimensions(in_dimensions);
        out.set_type(Halide::UInt(8));
        out.set_dimensions(out_dimensions);
    }

    /// x and y bounded by the buffer; other dimensions are not.
    Halide::Region picture_box() {
        Halide::Region box(in.dimensions());
        for (int d = 0; d < 2; d++) box[d] = {in.dim(d).min(), in.dim(d).extent()};
        return box;
    }

    /// For kernels without neighbours: extents of input and output agree.
    void no_edge() {
        edge = Halide::Func("staged");
        edge(Halide::_) = in(Halide::_);
    }

    void repeat_edge() { edge = boundary::repeat_edge(in, picture_box(), this->form()); }

    /// Tiles the output, stages `edge` and computes every stage per tile.
    Tiling schedule_tiles(std::source_location at = std::source_location::current()) {
        const int channels_in = in.dimensions() == 3 ? 3 : 1, channels_out = out.dimensions() == 3 ? 3 : 1;
        const PlaneTile best = plane_tile(this->machine(), stages.bytes() + depth * (channels_in + channels_out));
        std::vector<int> sizes{tile_x > 0 ? int(tile_x) : best.x, tile_y > 0 ? int(tile_y) : best.y};
        sizes.resize(out.dimensions(), 0);
        const Tiling tiling = tile_output(out, sizes, depth, at);
        compute_in_scratchpad(edge, tiling.tile, at);
        double_buffer(edge, tiling.around, depth, at);
        for (const Halide::Func &f : stages.funcs()) compute_in_scratchpad(f, tiling.tile, at);
        return tiling;
    }

    /// Slots for a stage that the output copies, so that the vector unit need not wait for the store.
    void ring(Halide::Func copied, const Tiling &tiling) {
        if (depth > 1) copied.hoist_storage(tiling.around).ring_buffer(int(depth));
    }
};

}  // namespace emulsion::generators
