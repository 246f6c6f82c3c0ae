// Every leaf of the lowered loop nest becomes a tile operation; the loops around leaves stay control loops.
//
//   before   for yo { realize s in VTCM { for y, x: s(x, y) = in(x, …)   for y, x: out(x, …) = s(x, y) + 1 } }
//   after    for yo { load s <- in [x, y]   run out.tile <- s [x, y]   store out <- out.tile [x, y] }
#pragma once
#include "npu_backend/ir/tile_ir.h"
#include "npu_backend/lower/lower.h"

#include <string>
#include <vector>

namespace emulsion {

struct BoundBuffer {
    std::string name;        ///< of the argument
    std::string storage;     ///< Func or image name in the lowered code
    Halide::Type type;
    int dimensions = 0;
    bool output = false;
    std::vector<int> extents;       ///< empty: symbolic
    std::vector<int> strides = {};  ///< elements; empty: dense

    /// Bytes from the lowest to behind the highest element, counted from the one at index 0.
    struct Span { int64_t lo, hi; };
    Span span() const;
    std::vector<int64_t> steps() const;  ///< strides, the dense ones where none are given
};

/// Raises EM3xx naming the stage, the reason and the change for every stage that no engine takes.
ir::TileProgram build_tiles(const Lowered &lowered, const std::string &name, const std::vector<BoundBuffer> &buffers);

}  // namespace emulsion
