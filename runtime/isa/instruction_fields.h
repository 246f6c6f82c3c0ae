// Which fields each instruction has and where they lie in its 16 bytes. Encoder, decoder, assembler, disassembler and the
// reference page read these tables.
//
//   byte          0    1    2    3     4     5     6       7       8..9   10..11 12..15
//   control       op   rd   ra   rb    0     0     0       0       0      0      imm
//   sync          op   0    0    0     wait0 wait1 signal0 signal1 0      0      0
//   tile          op   ra   mode count wait0 wait1 signal0 signal1 domain stream extra (12..13), or imm
#pragma once
#include "runtime/isa/instruction.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace emulsion {

struct InstructionField {
    std::string_view name;
    uint8_t byte = 0;      ///< first byte, little endian
    uint8_t bits = 8;      ///< width; further bits of its bytes are reserved
    bool is_signed = false, is_register = false;
    int64_t unused = 0;    ///< the value that says "not there"
    int64_t (*get)(const Instruction &) = nullptr;
    void (*set)(Instruction &, int64_t) = nullptr;

    int64_t lowest() const { return is_signed ? -(int64_t{1} << (bits - 1)) : 0; }
    int64_t highest() const { return (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1; }
};

/// The fields of the instructions of `row`, in text order.
std::span<const InstructionField> fields_of(const InstructionInfo &row);

}  // namespace emulsion
