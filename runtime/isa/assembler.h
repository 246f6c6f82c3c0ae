// Program text: the review, fixture and fuzz-seed form. disassemble and assemble are inverse, byte for byte. The text form is
// described in docs/isa-reference.md. Defined by emulsion_program, because a text holds a whole Program.
#pragma once
#include "runtime/program/program.h"

#include <cstdint>
#include <string>

namespace emulsion {

/// The whole program as text. Programs that encode (encode.h) come back equal from assemble.
std::string disassemble(const Program &program);

/// Instruction `pc` alone, as its line in the text: "contract domain=3 stream=4 count=3 mode=1 wait0=0". pc < code size.
std::string disassemble_instruction(const Program &program, uint32_t pc);

/// The inverse of disassemble. `file` names the text in messages, which carry line and column. Raises EM110 to EM112.
Program assemble(const std::string &text, const std::string &file = "stdin");

}  // namespace emulsion
