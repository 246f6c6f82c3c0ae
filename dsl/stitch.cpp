#include "dsl/stitch.h"

#include "runtime/diag/diag.h"

namespace emulsion {

StitchPart::Anchor StitchPart::schedule_anchor(Halide::Func out, bool) { raise(Diag::stitch_role, {.stage = out.name()}, "anchor"); }
void StitchPart::schedule_producer(const Anchor &anchor) { raise(Diag::stitch_role, {.stage = anchor.input.name()}, "producer"); }
void StitchPart::schedule_epilogue(const Anchor &, const std::string &input) { raise(Diag::stitch_role, {.stage = input}, "epilogue"); }

}  // namespace emulsion
