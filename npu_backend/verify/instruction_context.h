// One instruction under legality checks, and the check that every index in it goes through.
#pragma once
#include "runtime/emulator/control.h"
#include "runtime/isa/target_desc.h"

namespace emulsion::verifier {

struct InstructionContext {
    const Program &program;
    const TargetDesc &target;
    uint32_t pc;
    const Instruction &insn;
    const InstructionInfo &row;

    Place place() const { return place_of(program, pc); }

    /// Raises EM404 unless 0 <= index < size.
    void index_in(std::string_view table, int64_t index, size_t size) const {
        if (index < 0 || index >= static_cast<int64_t>(size)) raise(Diag::verify_index, place(), table, index, size);
    }
    void optional_register(uint8_t r) const {
        if (r != no_register) index_in("registers", r, register_count);
    }
};

}  // namespace emulsion::verifier
