// What each tile instruction takes: the table that the legality check and the memory check read.
#pragma once
#include "runtime/isa/instruction.h"
#include "runtime/isa/stream.h"

#include <array>

namespace emulsion::verifier {

enum class Use : uint8_t { read, write, accumulate };
enum class Extra : uint8_t { none, fill, micro_program };

struct OperandRule {
    std::string_view name;
    Space space{};
    Use use{};
};

struct InstructionRule {
    Opcode op{};
    Extra extra{};
    int operand_count = 0;  ///< of operands; 0: micro-programs say what their streams are for
    std::array<OperandRule, 3> operands{};
    std::array<bool, 4> stream_spaces{};  ///< micro-programs: legal spaces, indexed by Space
};

/// Null for instructions that touch no memory.
const InstructionRule *find_rule(Opcode op);

}  // namespace emulsion::verifier
