// Rule 8 for micro-programs: operands defined before use, streams that exist, types that agree, shifts in range.
#pragma once
#include "runtime/program/program.h"

namespace emulsion::verifier {

/// For the run or drain at `pc`, whose operands are valid. Raises EM4xx.
void check_micro_program(const Program &program, uint32_t pc);

}  // namespace emulsion::verifier
