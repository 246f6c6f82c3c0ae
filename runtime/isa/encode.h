// Instructions as 16 bytes, little endian; instruction_fields.h has the layout. Reserved bits are zero, and checked.
#pragma once
#include "runtime/isa/instruction.h"

#include <array>
#include <cstdint>
#include <span>

namespace emulsion {

using InstructionBytes = std::array<uint8_t, instruction_bytes>;

/// Raises EM121 for an opcode that is not in the table, and for a field that the instruction lacks or that is too wide.
InstructionBytes encode(const Instruction &instruction);

/// The inverse of encode. Raises EM121 for an unknown opcode and EM113 for reserved bits that are set.
Instruction decode(std::span<const uint8_t, instruction_bytes> bytes);

}  // namespace emulsion
