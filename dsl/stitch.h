// Stitching: several generators scheduled as one pipeline. Each part of a group has a role:
//   producer   computes the anchor's input, tile by tile, in the scratchpad       depthwise conv before a 1x1 conv
//   anchor     owns the loops: tiles the group's output
//   epilogue   element-wise on the anchor's result, where that is drained         residual add, activation
//
//   before   conv: for tile: …, store out      add: for tile: load a, load b, …, store
//   after    for tile: contract, load b, drain(add(finish(acc), b)), store
#pragma once
#include "dsl/halide.h"

namespace emulsion {

class StitchPart {
public:
    virtual ~StitchPart() = default;

    /// What an anchor tells the other parts.
    struct Anchor {
        Halide::Func input;      ///< the stage that reads its first input; scratchpad, one per tile
        Halide::LoopLevel tile;  ///< where the stages of one output tile are computed
        int depth = 2;           ///< slots of staged operands
    };

    // The roles a generator can take; each raises EM218 unless it is overridden. Called instead of npu_schedule().

    /// Tiles `out` (the group's output: as this generator's own in shape) and schedules all of its own stages. `inlined`: its own
    /// output is computed as part of `out`, else in the scratchpad.
    virtual Anchor schedule_anchor(Halide::Func out, bool inlined);
    /// Schedules its stages per tile of `anchor`, whose input stage takes this generator's result.
    virtual void schedule_producer(const Anchor &anchor);
    /// Stages the operands that do not come from the group. `input`: the argument that does.
    virtual void schedule_epilogue(const Anchor &anchor, const std::string &input);
    /// Whether the output unit has the operations of this epilogue.
    virtual bool fits_output_unit() const { return false; }
};

}  // namespace emulsion
