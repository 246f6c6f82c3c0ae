#include "npu_backend/verify/legality.h"

#include "npu_backend/verify/operation.h"
#include "npu_backend/verify/tile_legality.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

constexpr size_t max_regions = 16;

// ---- control

void check_control(const InstructionContext &c) {
    const InstructionForm f = c.row.form;
    if (f == InstructionForm::ctl_di || f == InstructionForm::ctl_dab || f == InstructionForm::ctl_loop)
        c.index_in("registers", c.insn.rd, register_count);
    if (f == InstructionForm::ctl_dab || f == InstructionForm::ctl_branch)
        c.index_in("registers", c.insn.ra, register_count);
    if (f == InstructionForm::ctl_dab) c.optional_register(c.insn.rb);
    if (f == InstructionForm::ctl_loop) c.optional_register(c.insn.ra);
    if (c.insn.op == Opcode::op_arg) c.index_in("arguments", c.insn.imm, c.program.arguments.size());
}

// ---- tokens

void check_tokens(const InstructionContext &c) {
    if (c.row.queue == Queue::CTL) return;
    for (const auto &list : {c.insn.wait, c.insn.signal})
        for (uint8_t t : list)
            if (t != no_token) c.index_in("tokens", t, c.program.tokens.size());
}

/// The one queue that may use each token in one direction.
class TokenUsers {
public:
    TokenUsers(const Program &program, std::string_view verb)
        : program_(program), verb_(verb), first_(program.tokens.size(), unused) {}

    void use(uint32_t pc, uint8_t token) {
        if (token == no_token) return;
        if (first_[token] == unused) first_[token] = pc;
        const Queue mine = queue_of(pc), theirs = queue_of(first_[token]);
        if (mine != theirs)
            raise(Diag::verify_token_queues, place_of(program_, pc), token, verb_, queue_names[static_cast<int>(mine)],
                  describe(program_, first_[token]), queue_names[static_cast<int>(theirs)]);
    }

private:
    static constexpr uint32_t unused = UINT32_MAX;
    Queue queue_of(uint32_t pc) const { return find_instruction(program_.code[pc].op)->queue; }

    const Program &program_;
    std::string_view verb_;
    std::vector<uint32_t> first_;
};

void check_token_queues(const Program &program) {
    TokenUsers signals(program, "signalled"), waits(program, "waited for");
    for (uint32_t pc = 0; pc < program.code.size(); pc++) {
        if (find_instruction(program.code[pc].op)->queue == Queue::CTL) continue;
        for (uint8_t t : program.code[pc].signal) signals.use(pc, t);
        for (uint8_t t : program.code[pc].wait) waits.use(pc, t);
    }
}

void check_instruction(const Program &program, const TargetDesc &target, uint32_t pc) {
    const Instruction &insn = program.code[pc];
    const InstructionInfo *row = find_instruction(insn.op);
    if (!row) raise(Diag::verify_opcode, place_of(program, pc), static_cast<int>(insn.op));
    const InstructionContext c{program, target, pc, insn, *row};
    if (row->queue == Queue::CTL) check_control(c);
    check_tokens(c);
    if (row->form == InstructionForm::tile) check_tile(c);
}

// ---- the program's tables

void check_buffers(const Program &program, const TargetDesc &target) {
    for (const BufferEntry &b : program.buffers) {
        const struct {
            const char *name;
            uint64_t bytes;
        } memories[] = {{"constants", program.constants.size()}, {"spm_bytes", target.spm_bytes}, {"acc_bytes", target.acc_bytes}};
        const auto &[name, capacity] = memories[static_cast<int>(b.space)];
        if (b.offset > capacity || b.used > b.bytes || (b.bytes && b.slots > (capacity - b.offset) / b.bytes))
            raise(Diag::verify_capacity, {program.name}, b.name, b.offset, b.bytes, b.slots,
                  name, capacity);
    }
}

void check_token_count(const Program &program) {
    if (program.tokens.size() > token_count)
        raise(Diag::verify_index, {program.name}, "tokens", program.tokens.size() - 1, token_count);
}

void check_regions(const Program &program) {
    if (program.regions.size() > max_regions)
        raise(Diag::verify_region_count, {program.name}, program.regions.size(), max_regions);
    for (const Region &r : program.regions)
        if (r.kind == RegionKind::constants && r.bytes != static_cast<int64_t>(program.constants.size()))
            raise(Diag::verify_constants_size, {program.name}, r.name, r.bytes, program.constants.size());
}

}  // namespace

void check_legality(const Program &program, const TargetDesc &target) {
    if (program.machine_hash != target.hash)
        raise(Diag::verify_machine, {program.name}, program.machine, program.machine_hash, target.name, target.hash);
    check_regions(program);
    check_token_count(program);
    check_buffers(program, target);
    for (uint32_t pc = 0; pc < program.code.size(); pc++) check_instruction(program, target, pc);
    check_token_queues(program);
}

}  // namespace emulsion::verifier
