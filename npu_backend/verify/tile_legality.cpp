#include "npu_backend/verify/tile_legality.h"

#include "npu_backend/verify/instruction_rules.h"
#include "npu_backend/verify/micro_legality.h"

namespace emulsion::verifier {
namespace {

constexpr std::string_view space_names[] = {"EXT", "SPM", "ACC", "LUT"};

void check_scalar(const InstructionContext &c, const Scalar &s) { c.optional_register(s.reg); }

void check_stream(const InstructionContext &c, int operand) {
    const Stream &s = c.program.streams[c.insn.stream + operand];
    if (s.space == Space::ext) c.index_in("regions", s.region, c.program.regions.size());
    c.index_in("spaces", static_cast<int>(s.space), std::size(space_names));
    c.index_in("element types", static_cast<int>(s.type), std::size(element_types));
    for (const BaseTerm &t : s.terms) c.optional_register(t.reg);
    for (const Scalar &stride : s.stride) check_scalar(c, stride);
    constexpr int64_t far = int64_t{1} << 40;  // keeps addresses inside 64 bits
    if (s.window_lo > s.window_hi || s.window_lo < -far || s.window_hi > far)
        raise(Diag::verify_window, c.place(), operand, s.window_lo, s.window_hi);
}

void check_space(const InstructionContext &c, int operand, bool legal) {
    const Space space = c.program.streams[c.insn.stream + operand].space;
    if (!legal) raise(Diag::verify_operand_space, c.place(), operand, space_names[static_cast<int>(space)], c.row.says);
}

void check_fill(const InstructionContext &c) {
    if (c.insn.extra == no_extra) return;
    c.index_in("fills", c.insn.extra, c.program.fills.size());
    const Fill &f = c.program.fills[c.insn.extra];
    c.index_in("fill modes", static_cast<int>(f.mode), 5);
    for (int d = 0; d < max_rank; d++)
        for (const Scalar &s : {f.origin[d], f.lo[d], f.hi[d]}) check_scalar(c, s);
}

// The value's bits, sign or zero extended, fit the element.
void check_fill_value(const InstructionContext &c, int64_t value, ElementType type) {
    const int unused = 64 - 8 * info(type).bytes;
    const int64_t sign_extended = static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
    const uint64_t zero_extended = static_cast<uint64_t>(value) << unused >> unused;
    if (value != sign_extended && static_cast<uint64_t>(value) != zero_extended)
        raise(Diag::verify_fill_value, c.place(), value, info(type).name);
}

void check_operands(const InstructionContext &c, const InstructionRule &rule) {
    if (rule.operand_count && c.insn.stream_count != rule.operand_count)
        raise(Diag::verify_operand_count, c.place(), c.insn.stream_count, rule.operand_count);
    if (c.insn.stream + c.insn.stream_count > c.program.streams.size())
        c.index_in("streams", c.insn.stream + c.insn.stream_count - 1, c.program.streams.size());
    for (int k = 0; k < c.insn.stream_count; k++) {
        check_stream(c, k);
        const Space space = c.program.streams[c.insn.stream + k].space;
        check_space(c, k,
                    rule.operand_count ? space == rule.operands[k].space : rule.stream_spaces[static_cast<int>(space)]);
    }
}

void check_domain(const InstructionContext &c) {
    c.index_in("domains", c.insn.domain, c.program.domains.size());
    const Domain &d = c.program.domains[c.insn.domain];
    c.index_in("domain ranks above 0", d.rank - 1, max_rank);
    for (const Scalar &e : d.extent) check_scalar(c, e);
}

// ---- types

ElementType type_of(const InstructionContext &c, int operand) {
    return c.program.streams[c.insn.stream + operand].type;
}

[[noreturn]] void refuse_types(const InstructionContext &c, const std::string &why) {
    std::string types;
    for (int k = 0; k < c.insn.stream_count; k++) types += fmt::format("{}{}", k ? ", " : "", info(type_of(c, k)).name);
    raise(Diag::verify_types, c.place(), types, why);
}

void check_accumulator_type(const InstructionContext &c, ElementType t) {
    if (t != ElementType::i32 && t != ElementType::f32) refuse_types(c, "accumulators hold i32 or f32");
}

void check_contract_types(const InstructionContext &c) {
    const ElementType acc = type_of(c, 0), a = type_of(c, 1), b = type_of(c, 2);
    check_accumulator_type(c, acc);
    for (ElementType t : {a, b})
        if (!c.target.array.slowdown.count(t))
            refuse_types(c, fmt::format("the array of {} has no rate for {}", c.target.name, info(t).name));
    if (info(a).is_float != info(b).is_float || info(acc).is_float != info(a).is_float)
        refuse_types(c, "integers accumulate in i32, floats in f32");
    if (info(a).is_float && c.insn.imm != 0) refuse_types(c, "floats have no zero points");
    if (c.insn.mode > 2) raise(Diag::verify_index, c.place(), "modes", c.insn.mode, 3);
    if (c.insn.mode == 2) c.index_in("registers", c.insn.ra, register_count);
}

void check_types(const InstructionContext &c) {
    if (c.insn.op == Opcode::op_contract) return check_contract_types(c);
    if (c.insn.op == Opcode::op_clear) return check_accumulator_type(c, type_of(c, 0));
    if (c.insn.op == Opcode::op_fill) return check_fill_value(c, c.insn.imm, type_of(c, 0));
    if (type_of(c, 0) != type_of(c, 1)) refuse_types(c, "source and destination have one type");
    if (c.insn.op == Opcode::op_preload) check_accumulator_type(c, type_of(c, 0));
    if (c.insn.extra != no_extra && find_rule(c.insn.op)->extra == Extra::fill)
        check_fill_value(c, static_cast<int64_t>(c.program.fills[c.insn.extra].value), type_of(c, 0));
}

}  // namespace

void check_tile(const InstructionContext &c) {
    const InstructionRule &rule = *find_rule(c.insn.op);
    check_domain(c);
    check_operands(c, rule);
    if (rule.extra == Extra::fill) check_fill(c);
    if (rule.extra != Extra::micro_program) return check_types(c);
    c.index_in("micro-programs", c.insn.extra, c.program.micro_programs.size());
    check_micro_program(c.program, c.pc);
}

}  // namespace emulsion::verifier
