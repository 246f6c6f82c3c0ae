#include "npu_backend/verify/operation.h"

#include <algorithm>

namespace emulsion::verifier {

std::string describe(const Program &program, uint32_t pc) {
    const InstructionInfo *row = find_instruction(program.code[pc].op);
    const std::string_view mnemonic = row ? row->name : "unknown";
    const auto e = std::find_if(program.debug.begin(), program.debug.end(),
                                [&](const DebugEntry &entry) { return entry.pc == pc; });
    return e == program.debug.end() ? fmt::format("{} ({})", pc, mnemonic)
                                    : fmt::format("{} ({}, stage {})", pc, mnemonic, e->stage);
}

}  // namespace emulsion::verifier
