// What the tile pass knows while it walks: storage in scope, regions, stage properties.
#pragma once
#include "npu_backend/ir/tile_ir.h"
#include "npu_backend/lower/lower.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace emulsion {

/// Properties of a stage that the DSL wrote into its Func's trace tags.
struct StageMarks {
    std::string engine;                 ///< "mx", "ou" or empty
    std::vector<std::string> columns;
    int stage_out = 1;                  ///< ring depth of the output tile
    Place place;
};

class TileContext {
public:
    TileContext(ir::TileProgram &program, const Lowered &lowered) : program(program), lowered_(lowered) {}

    /// The buffer that holds Func or input `name` here. Raises an internal error if there is none.
    int buffer(const std::string &name) const;
    bool has_buffer(const std::string &name) const { return scope_.count(name) != 0; }
    void enter(const std::string &name, int buffer);
    void leave(const std::string &name);
    int add_buffer(ir::Buffer b);
    /// A buffer for constant data embedded in the pipeline.
    int constant_buffer(const Halide::Buffer<> &data);

    StageMarks marks(const std::string &stage) const;
    const Halide::Internal::Function *function(const std::string &stage) const;

    /// Element offset of an access as an operand over `variables` (index 0 innermost), or nothing if an index is not affine.
    std::optional<ir::Operand> operand(int buffer, const std::vector<Halide::Expr> &index,
                                       const std::vector<std::string> &variables) const;

    /// Upper bound of an int32 expression over the control loops entered so far, or nothing.
    std::optional<int64_t> upper_bound(const Halide::Expr &e) const;
    Halide::Internal::Scope<Halide::Internal::Interval> loops;  ///< ranges of control loop variables

    ir::TileProgram &program;

private:
    const Lowered &lowered_;
    std::map<std::string, std::vector<int>> scope_;
    std::map<std::string, int> constants_;
};

/// Halide type -> element type; booleans are u8. Raises EM3xx for types the machine lacks (float64, handles).
ElementType element_type(const Halide::Type &t, const Place &place);

/// The bits of a constant in its own type, or nothing if `e` is not a constant.
std::optional<uint64_t> constant_bits(const Halide::Expr &e);

}  // namespace emulsion
