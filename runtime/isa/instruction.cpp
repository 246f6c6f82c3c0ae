#include "runtime/isa/instruction.h"

namespace emulsion {

const InstructionInfo *find_instruction(Opcode op) {
    for (const InstructionInfo &row : instruction_table)
        if (row.op == op) return &row;
    return nullptr;
}

}  // namespace emulsion
