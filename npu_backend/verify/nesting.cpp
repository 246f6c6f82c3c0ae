#include "npu_backend/verify/nesting.h"

#include "npu_backend/verify/operation.h"

namespace emulsion::verifier {
namespace {

constexpr uint32_t outside = UINT32_MAX;

/// Per instruction the `loop` whose body it lies in. A loop belongs to the body around it, an endloop to the one it
/// ends: branching there ends the turn.
std::vector<uint32_t> bodies(const Program &program) {
    std::vector<uint32_t> body(program.code.size(), outside), open{outside};
    for (uint32_t pc = 0; pc < program.code.size(); pc++) {
        const bool begins = program.code[pc].op == Opcode::op_loop, ends = program.code[pc].op == Opcode::op_endloop;
        if (ends && open.size() == 1) raise(Diag::verify_nesting, place_of(program, pc), "endloop");
        body[pc] = open.back();
        if (ends) open.pop_back();
        if (begins) open.push_back(pc);
    }
    if (open.size() > 1) raise(Diag::verify_nesting, place_of(program, open.back()), "loop");
    return body;
}

}  // namespace

void check_nesting(const Program &program) {
    const std::vector<uint32_t> body = bodies(program);
    for (uint32_t pc = 0; pc < program.code.size(); pc++) {
        const Instruction &i = program.code[pc];
        if (i.op != Opcode::op_bz && i.op != Opcode::op_jump) continue;
        const int64_t target = int64_t{pc} + 1 + i.imm;
        if (i.imm < 0 || target >= static_cast<int64_t>(program.code.size()) || body[target] != body[pc])
            raise(Diag::verify_branch, place_of(program, pc), i.imm, target);
    }
    if (program.code.empty() || program.code.back().op != Opcode::op_halt)
        raise(Diag::verify_no_halt, {program.name}, program.code.size());
}

}  // namespace emulsion::verifier
