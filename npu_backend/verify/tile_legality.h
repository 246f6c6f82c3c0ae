// Rule 8 for tile instructions: operands, spaces, element types, fills, micro-programs.
#pragma once
#include "npu_backend/verify/instruction_context.h"

namespace emulsion::verifier {

/// For an instruction of form tile. Raises EM4xx. Afterwards its table indices are valid.
void check_tile(const InstructionContext &c);

}  // namespace emulsion::verifier
