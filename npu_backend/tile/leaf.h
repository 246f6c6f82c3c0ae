// A leaf: a perfect nest of loops and guards around provides, the unit that becomes one tile operation.
//
//   for y { if (yo*8 + y < h) { for x { f(x, y) = … } } }
//     -> loops y, x; conditions yo*8 + y < h; body f(x, y) = …
#pragma once
#include "dsl/halide.h"

#include <optional>
#include <string>
#include <vector>

namespace emulsion {

struct LeafLoop {
    std::string name;
    Halide::Expr extent;  ///< the loop counts 0..extent-1; its minimum is already part of the expressions
};

/// A let that reads memory (stays in order between provides) or a provide.
struct LeafItem {
    std::string let;        ///< name, or empty for a provide
    Halide::Expr value;     ///< let
    std::string storage;    ///< provide: Func or output written
    std::vector<Halide::Expr> index, values;
    Halide::Expr predicate; ///< provide: undefined or const true = always
};

struct Leaf {
    std::vector<LeafLoop> loops;            ///< outermost first
    std::vector<Halide::Expr> conditions;   ///< all must hold
    std::vector<LeafItem> body;
};

/// The leaf that `s` is, or nothing if `s` holds inner storage, several loops or an else branch.
std::optional<Leaf> match_leaf(const Halide::Internal::Stmt &s);

/// A leaf cut in two: the inner loops form a domain, the outer ones stay control loops.
struct CutLeaf {
    std::vector<LeafLoop> control;              ///< outermost first
    std::vector<Halide::Expr> control_conditions;
    std::vector<LeafLoop> domain;               ///< innermost first; extents already clipped by guards
    std::vector<Halide::Expr> predicates;       ///< guards that no extent can express
    std::vector<LeafItem> body;
};

/// Cuts off the innermost `rank` loops. Guards linear in one domain loop become extents. Nothing if an extent of a domain
/// loop depends on another domain loop.
std::optional<CutLeaf> cut(const Leaf &leaf, int rank);

}  // namespace emulsion
