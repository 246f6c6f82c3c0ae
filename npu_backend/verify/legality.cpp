#include "npu_backend/verify/legality.h"

#include "npu_backend/verify/instruction_rules.h"
#include "npu_backend/verify/micro_legality.h"
#include "npu_backend/verify/operation.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

constexpr std::string_view space_names[] = {"EXT", "SPM", "ACC", "LUT"};
constexpr size_t max_regions = 16;

struct Context {
    const Program &program;
    const TargetDesc &target;
    uint32_t pc;
    const Instruction &insn;
    const InstructionInfo &row;

    Place place() const { return place_of(program, pc); }
};

void index_in(const Context &c, std::string_view table, int64_t index, size_t size) {
    if (index < 0 || index >= static_cast<int64_t>(size)) raise(Diag::verify_index, c.place(), table, index, size);
}

void optional_register(const Context &c, uint8_t r) {
    if (r != no_register) index_in(c, "registers", r, register_count);
}

void check_scalar(const Context &c, const Scalar &s) { optional_register(c, s.reg); }

// ---- control

void check_control(const Context &c) {
    const InstructionForm f = c.row.form;
    if (f == InstructionForm::ctl_di || f == InstructionForm::ctl_dab || f == InstructionForm::ctl_loop) index_in(c, "registers", c.insn.rd, register_count);
    if (f == InstructionForm::ctl_dab || f == InstructionForm::ctl_branch) index_in(c, "registers", c.insn.ra, register_count);
    if (f == InstructionForm::ctl_dab) optional_register(c, c.insn.rb);
    if (f == InstructionForm::ctl_loop) optional_register(c, c.insn.ra);
    if (c.insn.op == Opcode::op_arg) index_in(c, "arguments", c.insn.imm, c.program.arguments.size());
}

// ---- tokens

void check_tokens(const Context &c) {
    if (c.row.queue == Queue::CTL) return;
    for (const auto &list : {c.insn.wait, c.insn.signal})
        for (uint8_t t : list)
            if (t != no_token) index_in(c, "tokens", t, c.program.tokens.size());
}

/// The one queue that may use each token in one direction.
class TokenUsers {
public:
    TokenUsers(const Program &program, std::string_view verb) : program_(program), verb_(verb), first_(program.tokens.size(), unused) {}

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

// ---- tile operands

void check_stream(const Context &c, int operand) {
    const Stream &s = c.program.streams[c.insn.stream + operand];
    if (s.space == Space::ext) index_in(c, "regions", s.region, c.program.regions.size());
    index_in(c, "spaces", static_cast<int>(s.space), std::size(space_names));
    index_in(c, "element types", static_cast<int>(s.type), std::size(element_types));
    for (const BaseTerm &t : s.terms) optional_register(c, t.reg);
    for (const Scalar &stride : s.stride) check_scalar(c, stride);
    if (s.window_lo > s.window_hi) raise(Diag::verify_window, c.place(), operand, s.window_lo, s.window_hi);
}

void check_space(const Context &c, int operand, bool legal) {
    const Space space = c.program.streams[c.insn.stream + operand].space;
    if (!legal) raise(Diag::verify_operand_space, c.place(), operand, space_names[static_cast<int>(space)], c.row.says);
}

void check_fill(const Context &c) {
    if (c.insn.extra == no_extra) return;
    index_in(c, "fills", c.insn.extra, c.program.fills.size());
    const Fill &f = c.program.fills[c.insn.extra];
    index_in(c, "fill modes", static_cast<int>(f.mode), 5);
    for (int d = 0; d < max_rank; d++)
        for (const Scalar &s : {f.origin[d], f.lo[d], f.hi[d]}) check_scalar(c, s);
}

// The value's bits, sign or zero extended, fit the element.
void check_fill_value(const Context &c, int64_t value, ElementType type) {
    const int unused = 64 - 8 * info(type).bytes;
    const int64_t sign_extended = static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
    const uint64_t zero_extended = static_cast<uint64_t>(value) << unused >> unused;
    if (value != sign_extended && static_cast<uint64_t>(value) != zero_extended)
        raise(Diag::verify_fill_value, c.place(), value, info(type).name);
}

void check_operands(const Context &c, const InstructionRule &rule) {
    if (rule.operand_count && c.insn.stream_count != rule.operand_count)
        raise(Diag::verify_operand_count, c.place(), c.insn.stream_count, rule.operand_count);
    if (c.insn.stream + c.insn.stream_count > c.program.streams.size())
        index_in(c, "streams", c.insn.stream + c.insn.stream_count - 1, c.program.streams.size());
    for (int k = 0; k < c.insn.stream_count; k++) {
        check_stream(c, k);
        const Space space = c.program.streams[c.insn.stream + k].space;
        check_space(c, k, rule.operand_count ? space == rule.operands[k].space : rule.stream_spaces[static_cast<int>(space)]);
    }
}

void check_domain(const Context &c) {
    index_in(c, "domains", c.insn.domain, c.program.domains.size());
    const Domain &d = c.program.domains[c.insn.domain];
    index_in(c, "domain ranks above 0", d.rank - 1, max_rank);
    for (const Scalar &e : d.extent) check_scalar(c, e);
}

// ---- types

ElementType type_of(const Context &c, int operand) { return c.program.streams[c.insn.stream + operand].type; }

[[noreturn]] void refuse_types(const Context &c, const std::string &why) {
    std::string types;
    for (int k = 0; k < c.insn.stream_count; k++) types += fmt::format("{}{}", k ? ", " : "", info(type_of(c, k)).name);
    raise(Diag::verify_types, c.place(), types, why);
}

void check_accumulator_type(const Context &c, ElementType t) {
    if (t != ElementType::i32 && t != ElementType::f32) refuse_types(c, "accumulators hold i32 or f32");
}

void check_contract_types(const Context &c) {
    const ElementType acc = type_of(c, 0), a = type_of(c, 1), b = type_of(c, 2);
    check_accumulator_type(c, acc);
    for (ElementType t : {a, b})
        if (!c.target.array.slowdown.count(t)) refuse_types(c, fmt::format("the array of {} has no rate for {}", c.target.name, info(t).name));
    if (info(a).is_float != info(b).is_float || info(acc).is_float != info(a).is_float)
        refuse_types(c, "integers accumulate in i32, floats in f32");
    if (info(a).is_float && c.insn.imm != 0) refuse_types(c, "floats have no zero points");
    if (c.insn.mode > 2) raise(Diag::verify_index, c.place(), "modes", c.insn.mode, 3);
    if (c.insn.mode == 2) index_in(c, "registers", c.insn.ra, register_count);
}

void check_types(const Context &c) {
    if (c.insn.op == Opcode::op_contract) return check_contract_types(c);
    if (c.insn.op == Opcode::op_clear) return check_accumulator_type(c, type_of(c, 0));
    if (c.insn.op == Opcode::op_fill) return check_fill_value(c, c.insn.imm, type_of(c, 0));
    if (type_of(c, 0) != type_of(c, 1)) refuse_types(c, "source and destination have one type");
    if (c.insn.op == Opcode::op_preload) check_accumulator_type(c, type_of(c, 0));
    if (c.insn.extra != no_extra && find_rule(c.insn.op)->extra == Extra::fill)
        check_fill_value(c, static_cast<int64_t>(c.program.fills[c.insn.extra].value), type_of(c, 0));
}

void check_tile(const Context &c) {
    const InstructionRule &rule = *find_rule(c.insn.op);
    check_domain(c);
    check_operands(c, rule);
    if (rule.extra == Extra::fill) check_fill(c);
    if (rule.extra != Extra::micro_program) return check_types(c);
    index_in(c, "micro-programs", c.insn.extra, c.program.micro_programs.size());
    check_micro_program(c.program, c.pc);
}

void check_instruction(const Program &program, const TargetDesc &target, uint32_t pc) {
    const Instruction &insn = program.code[pc];
    const InstructionInfo *row = find_instruction(insn.op);
    if (!row) raise(Diag::verify_opcode, place_of(program, pc), static_cast<int>(insn.op));
    const Context c{program, target, pc, insn, *row};
    if (row->queue == Queue::CTL) check_control(c);
    check_tokens(c);
    if (row->form == InstructionForm::tile) check_tile(c);
}

// ---- the program's tables

void check_buffers(const Program &program, const TargetDesc &target) {
    for (const BufferEntry &b : program.buffers) {
        const bool accumulator = b.space == Space::acc;
        const uint64_t capacity = accumulator ? target.acc_bytes : target.spm_bytes;
        if (b.offset > capacity || (b.bytes && b.slots > (capacity - b.offset) / b.bytes))
            raise(Diag::verify_capacity, {program.name}, b.name, b.offset, b.bytes, b.slots, accumulator ? "acc_bytes" : "spm_bytes", capacity);
    }
}

void check_regions(const Program &program) {
    if (program.regions.size() > max_regions) raise(Diag::verify_region_count, {program.name}, program.regions.size(), max_regions);
    for (const Region &r : program.regions)
        if (r.kind == RegionKind::constants && r.bytes != static_cast<int64_t>(program.constants.size()))
            raise(Diag::verify_constants_size, {program.name}, r.name, r.bytes, program.constants.size());
}

}  // namespace

void check_legality(const Program &program, const TargetDesc &target) {
    if (program.machine_hash != target.hash)
        raise(Diag::verify_machine, {program.name}, program.machine, program.machine_hash, target.name, target.hash);
    check_regions(program);
    check_buffers(program, target);
    for (uint32_t pc = 0; pc < program.code.size(); pc++) check_instruction(program, target, pc);
    check_token_queues(program);
}

}  // namespace emulsion::verifier
