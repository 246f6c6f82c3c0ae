#include "npu_backend/verify/operation.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

// One instruction may visit this many points; more is a loop nest that never ends in practice.
constexpr int64_t point_limit = int64_t{1} << 40;

const DebugEntry *debug_entry(const Program &program, uint32_t pc) {
    const auto it = std::find_if(program.debug.begin(), program.debug.end(), [&](const DebugEntry &e) { return e.pc == pc; });
    return it == program.debug.end() ? nullptr : &*it;
}

std::string_view mnemonic(const Program &program, uint32_t pc) {
    const InstructionInfo *row = pc < program.code.size() ? find_instruction(program.code[pc].op) : nullptr;
    return row ? row->name : "unknown";
}

void check_points(const Program &program, uint32_t pc, const Resolved &r) {
    int64_t points = 1;
    for (int d = 0; d < r.rank; d++)
        if (r.extent[d] > point_limit / points) raise(Diag::verify_domain_size, place_of(program, pc), d, r.extent[d], point_limit);
        else points *= r.extent[d];
}

}  // namespace

Place place_of(const Program &program, uint32_t pc) {
    Place place{.stage = {}, .file = {}, .line = 0, .node = fmt::format("instruction {} ({})", pc, mnemonic(program, pc))};
    if (const DebugEntry *e = debug_entry(program, pc)) {
        place.stage = e->stage;
        place.file = e->file;
        place.line = e->line;
    }
    return place;
}

std::string describe(const Program &program, uint32_t pc) {
    const DebugEntry *e = debug_entry(program, pc);
    if (!e) return fmt::format("{} ({})", pc, mnemonic(program, pc));
    return fmt::format("{} ({}, stage {})", pc, mnemonic(program, pc), e->stage);
}

int64_t value_of(const Scalar &scalar, const Registers &registers) {
    // Wraps like control arithmetic; addresses made from it are range checked.
    const uint64_t r = scalar.reg == no_register ? 0 : static_cast<uint64_t>(registers[scalar.reg]);
    return static_cast<int64_t>(static_cast<uint64_t>(scalar.imm) + r);
}

void resolve(const Program &program, const Operation &operation, Resolved &out) {
    const Instruction &insn = program.code[operation.pc];
    const Domain &domain = program.domains[insn.domain];
    out.rank = domain.rank;
    out.empty = false;
    for (int d = 0; d < out.rank; d++) {
        out.extent[d] = value_of(domain.extent[d], operation.registers);
        out.empty |= out.extent[d] <= 0;
    }
    out.operands.clear();
    if (out.empty) return;
    check_points(program, operation.pc, out);
    for (int k = 0; k < insn.stream_count; k++) {
        const Stream &s = program.streams[insn.stream + k];
        CheckedSum base{s.base};
        for (const BaseTerm &t : s.terms)
            if (t.reg != no_register) base.add_product(operation.registers[t.reg], t.scale);
        if (base.overflow) raise(Diag::verify_address_overflow, place_of(program, operation.pc), k);
        Operand &o = out.operands.emplace_back(Operand{&s, base.value, {}});
        for (int d = 0; d < out.rank; d++) o.stride[d] = value_of(s.stride[d], operation.registers);
    }
}

}  // namespace emulsion::verifier
