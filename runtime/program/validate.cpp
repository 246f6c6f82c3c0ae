#include "runtime/program/validate.h"

#include "runtime/diag/diag.h"
#include "runtime/program/enum_names.h"

#include <algorithm>

namespace emulsion {
namespace {

constexpr size_t max_regions = 16;

enum class Extra : uint8_t { none, fill, micro_program };

/// What the tile instructions take. streams 0: one or more.
struct TileRule {
    Opcode op;
    uint8_t streams;
    Extra extra;
};
constexpr TileRule tile_rules[] = {
    {Opcode::op_load, 2, Extra::fill},     {Opcode::op_fill, 1, Extra::none},
    {Opcode::op_store, 2, Extra::none},    {Opcode::op_copy, 2, Extra::fill},
    {Opcode::op_clear, 1, Extra::none},    {Opcode::op_preload, 2, Extra::none},
    {Opcode::op_contract, 3, Extra::none}, {Opcode::op_drain, 0, Extra::micro_program},
    {Opcode::op_run, 0, Extra::micro_program},
};

constexpr const TileRule *find_tile_rule(Opcode op) {
    return std::find_if(std::begin(tile_rules), std::end(tile_rules), [&](const TileRule &r) { return r.op == op; });
}
static_assert(std::all_of(std::begin(instruction_table), std::end(instruction_table), [](const InstructionInfo &row) {
    return row.form != InstructionForm::tile || find_tile_rule(row.op) != std::end(tile_rules);
}), "each tile instruction needs a row in tile_rules");

/// Names the item under inspection in the messages of its rules.
struct Item {
    std::string name;

    void require(bool holds, std::string_view rule) const {
        if (!holds) raise(Diag::program_invalid, {}, name, rule);
    }
    void index(size_t i, size_t size, std::string_view table) const {
        if (i >= size) raise(Diag::program_invalid, {}, name, fmt::format("entry {} of {} does not exist, there are {}", i, table, size));
    }
    void register_or_none(uint8_t r) const { require(r < register_count || r == no_register, "a register number is above 31"); }
    void reg(uint8_t r) const { require(r < register_count, "a register is missing or above 31"); }
    void scalar(const Scalar &s) const { register_or_none(s.reg); }
    template<typename E>
    void enumerator(E value, std::string_view what) const {
        if (!is_enumerator(value)) raise(Diag::program_invalid, {}, name, fmt::format("{} {} does not exist", what, static_cast<int>(value)));
    }
};

/// "micro 3 op 5", as the text form counts.
Item item(std::string_view table, size_t i) { return {fmt::format("{} {}", table, i)}; }

void check_region(const Item &it, const Region &r) {
    it.enumerator(r.kind, "kind");
    it.enumerator(r.type, "type");
    it.require(r.bytes >= 0, "its size is negative");
    it.require(r.extents.empty() || r.extents.size() == r.dimensions, "it has not as many extents as dimensions");
    int64_t elements = 1;
    for (const int64_t e : r.extents) {
        it.require(e >= 1 && e <= INT32_MAX && elements <= INT32_MAX / e, "its extents are not those of a buffer");
        elements *= e;
    }
}

void check_argument(const Program &p, const Item &it, const Argument &a) {
    it.enumerator(a.kind, "kind");
    it.enumerator(a.type, "type");
    if (a.kind == ArgumentKind::scalar) return;
    it.index(a.region, p.regions.size(), "regions");
    it.index(a.dimension, p.regions[a.region].dimensions, "the region's dimensions");
}

void check_domain(const Item &it, const Domain &d) {
    it.require(d.rank <= max_rank, "its rank is above 6");
    for (const Scalar &s : d.extent) it.scalar(s);
    for (const Role r : d.role) it.enumerator(r, "role");
}

void check_stream(const Program &p, const Item &it, const Stream &s) {
    it.enumerator(s.space, "space");
    it.enumerator(s.type, "type");
    if (s.space == Space::ext) it.index(s.region, p.regions.size(), "regions");
    for (const BaseTerm &t : s.terms) it.register_or_none(t.reg);
    for (const Scalar &stride : s.stride) it.scalar(stride);
    it.require(s.window_lo <= s.window_hi, "its window ends before it begins");
}

void check_fill(const Item &it, const Fill &f) {
    it.enumerator(f.mode, "mode");
    for (const auto *list : {&f.origin, &f.lo, &f.hi})
        for (const Scalar &s : *list) it.scalar(s);
}

const MicroOpInfo *find_micro_op(MicroOpcode op) {
    const auto row = std::find_if(std::begin(micro_ops), std::end(micro_ops), [&](const MicroOpInfo &r) { return r.code == op; });
    return row == std::end(micro_ops) ? nullptr : row;
}

bool may_be_absent(const MicroOp &m, char operand) {
    if (m.op == MicroOpcode::load) return true;
    if (m.op == MicroOpcode::store) return operand != 'a';
    return m.op == MicroOpcode::requantize && operand == 'c' && m.mode == static_cast<uint8_t>(Rounding::rne_f32);
}

void check_operands(const Item &it, const MicroProgram &micro, size_t k, const MicroOpInfo &row) {
    const MicroOp &m = micro[k];
    const std::pair<char, uint16_t> operands[] = {{'a', m.a}, {'b', m.b}, {'c', m.c}};
    for (const auto &[letter, value] : operands) {
        const bool used = row.operands.find(letter) != std::string_view::npos;
        if (value == no_value) it.require(!used || may_be_absent(m, letter), "an operand is missing");
        else it.require(value < k && micro[value].op != MicroOpcode::store, "an operand is not the result of an earlier micro-op");
    }
}

void check_micro_op(const Item &it, const MicroProgram &micro, size_t k) {
    const MicroOp &m = micro[k];
    const MicroOpInfo *row = find_micro_op(m.op);
    it.require(row, "its opcode does not exist");
    it.enumerator(m.type, "type");
    it.enumerator(m.from, "type");
    check_operands(it, micro, k, *row);
    if (m.op == MicroOpcode::index) it.require(m.mode < max_rank, "the dimension is above 5");
    if (m.op == MicroOpcode::scalar) it.reg(m.mode);
    if (m.op == MicroOpcode::requantize) it.require(m.mode <= static_cast<uint8_t>(Rounding::rne_f32), "the rounding mode does not exist");
}

void check_tile(const Program &p, const Item &it, const Instruction &i) {
    const TileRule &rule = *find_tile_rule(i.op);
    it.index(i.domain, p.domains.size(), "domains");
    it.require(rule.streams ? i.stream_count == rule.streams : i.stream_count > 0, "it has the wrong number of streams");
    it.require(size_t{i.stream} + i.stream_count <= p.streams.size(), "its streams go past the end of the table");
    it.require(i.mode <= (i.op == Opcode::op_contract ? 2 : 0), "its mode does not exist");
    if (i.mode == 2) it.reg(i.ra);
    it.register_or_none(i.ra);
    if (rule.extra == Extra::none) return it.require(i.extra == no_extra, "it takes no extra");
    if (rule.extra == Extra::fill) return i.extra == no_extra ? void() : it.index(i.extra, p.fills.size(), "fills");
    it.index(i.extra, p.micro_programs.size(), "micro-programs");
    for (const MicroOp &m : p.micro_programs[i.extra])
        if (m.op == MicroOpcode::load || m.op == MicroOpcode::store) it.index(m.stream, i.stream_count, "its streams");
}

void check_control(const Program &p, const Item &it, const Instruction &i, InstructionForm form) {
    using enum InstructionForm;
    if (form == ctl_di || form == ctl_dab || form == ctl_loop) it.reg(i.rd);
    if (form == ctl_dab || form == ctl_branch) it.reg(i.ra);
    for (const uint8_t r : {i.ra, i.rb}) it.register_or_none(r);
    if (i.op == Opcode::op_arg) it.require(i.imm >= 0 && static_cast<size_t>(i.imm) < p.arguments.size(), "the kernel argument does not exist");
}

void check_instruction(const Program &p, const Item &it, const Instruction &i) {
    const InstructionInfo *row = find_instruction(i.op);
    it.require(row, "its opcode does not exist");
    for (const uint8_t t : {i.wait[0], i.wait[1], i.signal[0], i.signal[1]})
        if (t != no_token) it.index(t, p.tokens.size(), "tokens");
    if (row->form == InstructionForm::tile) check_tile(p, it, i);
    else check_control(p, it, i, row->form);
}

/// Innermost loop around each place between instructions: its pc, or -1.
std::vector<int64_t> enclosing_loops(const Program &p) {
    std::vector<int64_t> around{-1}, open{-1};
    for (size_t pc = 0; pc < p.code.size(); pc++) {
        if (p.code[pc].op == Opcode::op_loop) open.push_back(static_cast<int64_t>(pc));
        if (p.code[pc].op == Opcode::op_endloop) {
            item("insn", pc).require(open.size() > 1, "endloop without loop");
            open.pop_back();
        }
        around.push_back(open.back());
    }
    if (open.size() > 1) item("insn", static_cast<size_t>(open.back())).require(false, "loop without endloop");
    return around;
}

void check_branches(const Program &p) {
    const std::vector<int64_t> around = enclosing_loops(p);
    for (size_t pc = 0; pc < p.code.size(); pc++) {
        const Instruction &i = p.code[pc];
        if (i.op != Opcode::op_bz && i.op != Opcode::op_jump) continue;
        const Item it = item("insn", pc);
        it.require(i.imm >= 0 && pc + 1 + static_cast<size_t>(i.imm) < p.code.size(), "it branches backward or past the end");
        it.require(around[pc + 1] == around[pc + 1 + static_cast<size_t>(i.imm)], "it branches across a loop border");
    }
}

template<typename Table, typename Check>
void each(std::string_view name, const Table &table, Check check) {
    for (size_t i = 0; i < table.size(); i++) check(item(name, i), table[i]);
}

}  // namespace

void validate(const Program &p) {
    const Item program{"the program"};
    program.require(p.regions.size() <= max_regions, "it has more than 16 regions");
    program.require(p.tokens.size() <= token_count, "it has more than 255 tokens");
    program.require(!p.code.empty() && p.code.back().op == Opcode::op_halt, "its last instruction is not halt");
    each("region", p.regions, check_region);
    each("argument", p.arguments, [&](const Item &it, const Argument &a) { check_argument(p, it, a); });
    each("buffer", p.buffers, [&](const Item &it, const BufferEntry &b) {
        it.enumerator(b.space, "space");
        it.require(b.first <= b.last && b.last <= p.code.size(), "its instructions do not exist");
    });
    each("domain", p.domains, check_domain);
    each("stream", p.streams, [&](const Item &it, const Stream &s) { check_stream(p, it, s); });
    each("fill", p.fills, check_fill);
    each("micro", p.micro_programs, [](const Item &it, const MicroProgram &m) {
        it.require(m.size() <= max_micro_ops, "it has more than 1024 micro-ops");
        for (size_t k = 0; k < m.size(); k++) check_micro_op({fmt::format("{} op {}", it.name, k)}, m, k);
    });
    each("insn", p.code, [&](const Item &it, const Instruction &i) { check_instruction(p, it, i); });
    check_branches(p);
}

}  // namespace emulsion
