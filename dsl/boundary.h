// Boundary conditions: a Func that is `source` inside a box and follows a rule outside. The meaning is that of
// Halide::BoundaryConditions; on the NPU each becomes the fill mode of one load, whatever the schedule does to the box.
#pragma once
#include "dsl/form.h"

namespace emulsion::boundary {

/// A box: {min, extent} per dimension, innermost first; undefined Exprs leave a dimension unbounded.
using Halide::Region;

/// The box that a buffer (input, image parameter) covers.
template<typename Buffer>
Region whole(const Buffer &buffer) {
    Region box;
    for (int d = 0; d < buffer.dimensions(); d++) box.emplace_back(buffer.dim(d).min(), buffer.dim(d).extent());
    return box;
}

/// `value` (cast to the source's type) outside the box.
Halide::Func constant_exterior(Halide::Func source, Halide::Expr value, const Region &box, Form form);
/// The nearest element of the box.
Halide::Func repeat_edge(Halide::Func source, const Region &box, Form form);
/// Copies of the box side by side.
Halide::Func repeat_image(Halide::Func source, const Region &box, Form form);
/// Copies of the box side by side, every second one mirrored: edges appear twice.
Halide::Func mirror_image(Halide::Func source, const Region &box, Form form);
/// The same with the edge elements shared: edges appear once. Extents must be 2 or more.
Halide::Func mirror_interior(Halide::Func source, const Region &box, Form form);

}  // namespace emulsion::boundary
