// Rules 3 (static half), 6, 8, 9: everything that can be read off the program without running it.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

namespace emulsion::verifier {

/// Machine hash, regions, named buffers within capacity, opcodes, registers, table indices, operand spaces, element
/// types, micro-programs, constants in range. Raises EM4xx for the first break. Afterwards every index in the program
/// is valid.
void check_legality(const Program &program, const TargetDesc &target);

}  // namespace emulsion::verifier
