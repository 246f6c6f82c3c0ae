// Colour spaces: every output plane is a weighted sum of three input planes, with weights that depend on the plane alone.
#pragma once
#include "generators/image/picture.h"

namespace emulsion::generators {

/// weights[c][k]: of input plane k in output plane c.
using ColourWeights = int[3][3];

template<typename T>
class ColourMatrix : public Picture<T> {
public:
    Halide::GeneratorInput<Halide::Buffer<uint8_t, 3>> in{"in"};
    Halide::GeneratorOutput<Halide::Buffer<uint8_t, 3>> out{"out"};

    void npu_schedule() {
        const Tiling tiling = this->tile_picture(out, 0, 0, 6);
        stage_tile(in, out, tiling, this->depth);
        // One element per plane, read by every pixel of it: cheaper than a select in every lane.
        compute_in_scratchpad(weight, Halide::LoopLevel::root());
    }

protected:
    Halide::Func weight{"weight"};

    /// weight(k, c) of type t; both pictures have three planes.
    void define_weights(const ColourWeights &weights, const Halide::Type &t) {
        in.dim(2).set_bounds(0, 3);
        out.dim(2).set_bounds(0, 3);
        Halide::Var k("k");
        const auto row = [&](int n) {
            const auto value = [&](int m) { return Halide::cast(t, weights[n][m]); };
            return select(k == 0, value(0), k == 1, value(1), value(2));
        };
        weight(k, this->c) = select(this->c == 0, row(0), this->c == 1, row(1), row(2));
        weight.bound(k, 0, 3).bound(this->c, 0, 3);
    }
};

}  // namespace emulsion::generators
