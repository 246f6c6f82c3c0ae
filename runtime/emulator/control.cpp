#include "runtime/emulator/control.h"

#include <algorithm>

namespace emulsion {

uint64_t Dispatched::points() const {
    if (empty) return 0;
    uint64_t n = 1;
    for (int d = 0; d < rank; d++) n *= static_cast<uint64_t>(extent[d]);
    return n;
}

Place place_of(const Program &program, uint32_t pc) {
    Place p;
    p.node = fmt::format("instruction {}", pc);
    if (pc < program.code.size())
        if (const InstructionInfo *row = find_instruction(program.code[pc].op)) p.node += fmt::format(" ({})", row->name);
    for (const DebugEntry &e : program.debug) {
        if (e.pc != pc) continue;
        p.stage = e.stage, p.file = e.file, p.line = e.line;
    }
    return p;
}

namespace {

// Enough to never read outside a table or leave a loop by a branch; the loader and the verifier check the rest.
class StructureCheck {
public:
    explicit StructureCheck(const Program &program) : program_(program) {}

    void run(std::vector<const InstructionInfo *> &rows, std::vector<uint32_t> &loop_end) {
        require(!program_.code.empty() && program_.code.back().op == Opcode::op_halt, 0, "no halt at the end");
        rows.resize(program_.code.size());
        loop_end.assign(program_.code.size(), 0);
        match_loops(loop_end);
        for (uint32_t pc = 0; pc < program_.code.size(); pc++) {
            rows[pc] = find_instruction(program_.code[pc].op);
            require(rows[pc], pc, "unknown opcode");
            if (rows[pc]->queue == Queue::CTL) check_control(pc, rows[pc]->form);
            if (rows[pc]->form == InstructionForm::tile) check_tile(pc);
        }
    }

private:
    void require(bool ok, uint32_t pc, const char *what) const {
        if (!ok) raise(Diag::program_malformed, place_of(program_, pc), std::string(what));
    }

    // body_[pc]: the loop whose body pc lies in; an endloop belongs to the body it ends.
    void match_loops(std::vector<uint32_t> &loop_end) {
        std::vector<uint32_t> open;
        for (uint32_t pc = 0; pc < program_.code.size(); pc++) {
            body_.push_back(open.empty() ? UINT32_MAX : open.back());
            if (program_.code[pc].op == Opcode::op_loop) open.push_back(pc);
            if (program_.code[pc].op != Opcode::op_endloop) continue;
            require(!open.empty(), pc, "endloop without loop");
            loop_end[open.back()] = pc;
            open.pop_back();
        }
        require(open.empty(), open.empty() ? 0 : open.back(), "loop without endloop");
    }

    void check_control(uint32_t pc, InstructionForm form) const {
        using enum InstructionForm;
        const Instruction &i = program_.code[pc];
        const bool writes = form == ctl_di || form == ctl_dab || form == ctl_loop, reads = form == ctl_dab || form == ctl_branch;
        require(!writes || i.rd < register_count, pc, "result register");
        require(i.ra < register_count || (!reads && i.ra == no_register), pc, "operand register");
        require(i.rb < register_count || i.rb == no_register, pc, "operand register");
        if (form != ctl_branch && form != ctl_jump) return;
        const uint64_t target = pc + 1 + static_cast<uint64_t>(std::max(i.imm, 0));
        require(i.imm >= 0 && target < program_.code.size() && body_[target] == body_[pc], pc, "branch out of its loop body");
    }

    void check_tile(uint32_t pc) const {
        const Instruction &i = program_.code[pc];
        require(i.domain < program_.domains.size(), pc, "domain index");
        require(static_cast<size_t>(i.stream) + i.stream_count <= program_.streams.size(), pc, "stream index");
        const bool micro = i.op == Opcode::op_run || i.op == Opcode::op_drain;
        require(micro ? i.extra < program_.micro_programs.size() : i.extra == no_extra || i.extra < program_.fills.size(), pc, "extra index");
        const Domain &d = program_.domains[i.domain];
        require(d.rank >= 1 && d.rank <= max_rank, pc, "domain rank");
        for (int s = 0; s < i.stream_count; s++) {
            const Stream &st = program_.streams[i.stream + s];
            require(st.space <= Space::lut && static_cast<size_t>(st.type) < std::size(element_types), pc, "space or type");
            require(st.space != Space::ext || st.region < program_.regions.size(), pc, "region index");
        }
    }

    const Program &program_;
    std::vector<uint32_t> body_;
};

}  // namespace

ControlWalker::ControlWalker(const Program &program, std::span<const int64_t> arguments, uint64_t instruction_budget)
    : program_(program), arguments_(arguments), budget_(instruction_budget) {
    StructureCheck(program).run(rows_, loop_end_);
}

Place ControlWalker::place() const { return place_of(program_, pc_); }

int64_t ControlWalker::value(const Scalar &s) const {
    if (s.reg == no_register) return s.imm;
    int64_t v;
    if (s.reg >= register_count || __builtin_add_overflow(s.imm, registers_[s.reg], &v)) raise(Diag::address_overflow, place());
    return v;
}

namespace {

int64_t euclidean_div(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(a));  // wraps
    const int64_t q = a / b, r = a % b;
    return r < 0 ? (b > 0 ? q - 1 : q + 1) : q;
}

int64_t euclidean_mod(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return 0;
    const int64_t r = a % b;
    return r < 0 ? r + (b < 0 ? -b : b) : r;
}

// Wraps like the hardware's 64-bit registers; addresses are checked where they are used.
int64_t scalar_op(Opcode op, int64_t a, int64_t b) {
    const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    switch (op) {
    case Opcode::op_add: return static_cast<int64_t>(ua + ub);
    case Opcode::op_sub: return static_cast<int64_t>(ua - ub);
    case Opcode::op_mul: return static_cast<int64_t>(ua * ub);
    case Opcode::op_div: return euclidean_div(a, b);
    case Opcode::op_mod: return euclidean_mod(a, b);
    case Opcode::op_min: return std::min(a, b);
    case Opcode::op_max: return std::max(a, b);
    case Opcode::op_shl: return static_cast<int64_t>(ua << (ub & 63));
    case Opcode::op_shr: return a >> (ub & 63);
    case Opcode::op_and: return a & b;
    case Opcode::op_or: return a | b;
    case Opcode::op_xor: return a ^ b;
    case Opcode::op_eq: return a == b;
    case Opcode::op_ne: return a != b;
    case Opcode::op_lt: return a < b;
    case Opcode::op_le: return a <= b;
    default: return 0;
    }
}

}  // namespace

void ControlWalker::begin_loop(const Instruction &i) {
    const int64_t count = i.ra == no_register ? i.imm : registers_[i.ra];
    if (count <= 0) {
        pc_ = loop_end_[pc_] + 1;
        return;
    }
    registers_[i.rd] = 0;
    loops_.push_back({pc_ + 1, i.rd, count, 0});
    pc_++;
}

void ControlWalker::end_loop() {
    Loop &l = loops_.back();
    if (++l.turn < l.count) {
        registers_[l.counter] = l.turn;
        pc_ = l.start;
    } else {
        loops_.pop_back();
        pc_++;
    }
}

void ControlWalker::step(const Instruction &i) {
    switch (i.op) {
    case Opcode::op_loop: return begin_loop(i);
    case Opcode::op_endloop: return end_loop();
    case Opcode::op_bz: pc_ += registers_[i.ra] == 0 ? i.imm + 1 : 1; return;
    case Opcode::op_jump: pc_ += i.imm + 1; return;
    case Opcode::op_mark: break;
    case Opcode::op_movi: registers_[i.rd] = i.imm; break;
    case Opcode::op_arg:
        if (i.imm < 0 || static_cast<size_t>(i.imm) >= arguments_.size())
            raise(Diag::argument_missing, place(), i.imm, arguments_.size());
        registers_[i.rd] = arguments_[i.imm];
        break;
    default: registers_[i.rd] = scalar_op(i.op, registers_[i.ra], operand_b(i));
    }
    pc_++;
}

void ControlWalker::resolve(const Instruction &i, Dispatched &out) {
    const Domain &d = program_.domains[i.domain];
    out.rank = d.rank;
    out.empty = false;
    for (int k = 0; k < d.rank; k++) {
        out.extent[k] = value(d.extent[k]);
        out.role[k] = d.role[k];
        out.empty |= out.extent[k] <= 0;
    }
    out.stream.resize(i.stream_count);
    for (int k = 0; k < i.stream_count; k++) {
        const Stream &s = program_.streams[i.stream + k];
        ResolvedStream &r = out.stream[k];
        r.space = s.space, r.region = s.region, r.type = s.type, r.base = s.base;
        r.window_lo = s.window_lo, r.window_hi = s.window_hi;
        for (const BaseTerm &t : s.terms) {
            int64_t term;
            if (t.reg == no_register) continue;
            if (t.reg >= register_count || __builtin_mul_overflow(registers_[t.reg], t.scale, &term) ||
                __builtin_add_overflow(r.base, term, &r.base))
                raise(Diag::address_overflow, place());
        }
        for (int k2 = 0; k2 < max_rank; k2++) r.stride[k2] = k2 < d.rank ? value(s.stride[k2]) : 0;
    }
    const bool micro = i.op == Opcode::op_run || i.op == Opcode::op_drain;
    out.micro = micro ? &program_.micro_programs[i.extra] : nullptr;
    out.has_fill = !micro && i.extra != no_extra;
    if (out.has_fill) {
        const Fill &f = program_.fills[i.extra];
        out.fill.mode = f.mode, out.fill.value = f.value, out.fill.boxed = f.boxed;
        for (int k = 0; k < d.rank; k++) {
            if (!f.boxed[k]) continue;
            out.fill.origin[k] = value(f.origin[k]), out.fill.lo[k] = value(f.lo[k]), out.fill.hi[k] = value(f.hi[k]);
        }
    }
    out.overwrite = i.mode == 1 || (i.mode == 2 && i.ra < register_count && registers_[i.ra] == 0);
}

bool ControlWalker::next(Dispatched &out) {
    while (true) {
        if (++executed_ > budget_) raise(Diag::budget_spent, place(), budget_);
        const Instruction &i = program_.code[pc_];
        if (i.op == Opcode::op_halt) return false;
        const InstructionInfo *row = rows_[pc_];
        since_dispatch_++;
        if (row->queue == Queue::CTL) {
            step(i);
            continue;
        }
        out.pc = pc_, out.insn = &i, out.row = row, out.sequence = sequence_++;
        out.control_cycles = since_dispatch_;
        out.registers = registers_;
        since_dispatch_ = 0;
        if (row->form == InstructionForm::tile) resolve(i, out);
        else out.stream.clear(), out.rank = 1, out.extent[0] = 0, out.empty = true, out.micro = nullptr, out.has_fill = false;
        pc_++;
        return true;
    }
}

}  // namespace emulsion
