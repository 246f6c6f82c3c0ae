// Structural rules of a program: what interpreter, timing model and verifier take for granted about any loaded program.
#pragma once
#include "runtime/program/program.h"

namespace emulsion {

/// Checks opcodes, table indices, register numbers, loop nesting, branches (forward, skipping balanced ranges), ranks, SSA
/// order, token numbers, enumerations and region kinds. Raises EM121 naming the item and the rule.
void validate(const Program &program);

}  // namespace emulsion
