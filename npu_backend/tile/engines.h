// Engine selection: turns a cut leaf into tile operations on the engine that its storage and marks ask for.
#pragma once
#include "npu_backend/tile/leaf.h"
#include "npu_backend/tile/tile_context.h"

#include <string>
#include <vector>

namespace emulsion {

/// The result of trying one engine on one cut: operations in order, or why not.
struct Attempt {
    std::vector<ir::NodePtr> nodes;
    Diag reason{};            ///< meaningful when nodes is empty
    std::string detail;
    bool retry_smaller = false;  ///< a smaller domain (more control loops) may succeed
    explicit operator bool() const { return !nodes.empty(); }
};

/// Reason of a refusal that only means: this engine is the wrong one to ask.
inline constexpr Diag try_another = Diag::internal_error;

Attempt refuse(Diag reason, std::string detail, bool retry_smaller);

/// Loop names of the domain, innermost first, and the domain with all roles streamed.
std::vector<std::string> names_of(const CutLeaf &leaf);
std::vector<ir::Dimension> dimensions_of(const CutLeaf &leaf);

/// A pure copy between spaces: load, store, copy; boundary Funcs become fills. Refuses anything else.
Attempt try_transfer(TileContext &context, const CutLeaf &leaf);

/// A product accumulated into, a constant or a bias stored to, accumulator memory.
Attempt try_matrix(TileContext &context, const CutLeaf &leaf);

/// Anything else: a micro-program on the vector unit, or on the output unit if it reads the accumulator. Results for
/// external memory go through a scratchpad tile that is then stored.
Attempt try_micro(TileContext &context, const CutLeaf &leaf, bool gather);

}  // namespace emulsion
