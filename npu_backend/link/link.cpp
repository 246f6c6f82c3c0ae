#include "npu_backend/link/link.h"

#include "npu_backend/link/tables.h"
#include "npu_backend/link/tokens.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <set>

namespace emulsion {
namespace {

constexpr uint64_t placement_alignment = 64;

uint64_t scratchpad_end(const Program &p) {
    uint64_t end = 0;
    for (const BufferEntry &b : p.buffers)
        if (b.space == Space::spm) end = std::max(end, b.offset + b.bytes * b.slots);
    return end;
}

bool is_constant(const Scalar &s) { return s.reg == no_register; }

bool uses_registers(const Domain &d, const Stream &s) {
    return !std::all_of(d.extent.begin(), d.extent.end(), is_constant) || !std::all_of(s.stride.begin(), s.stride.end(), is_constant) ||
           std::any_of(s.terms.begin(), s.terms.end(), [](const BaseTerm &t) { return t.reg != no_register; });
}

class Linker {
public:
    Linker(Program whole, const TargetDesc &target, const LinkOptions &options)
        : out_(std::move(whole)), target_(target), options_(options), tables_(out_), tokens_(out_) {}

    Program run(const std::vector<LinkUnit> &units) {
        for (size_t k = 0; k < units.size(); k++) append(units[k], static_cast<int>(k));
        out_.code.push_back({.op = Opcode::op_halt});
        return std::move(out_);
    }

private:
    Program out_;
    const TargetDesc &target_;
    const LinkOptions &options_;
    LinkTables tables_;
    LinkTokens tokens_;
    uint64_t lo_ = 0, hi_ = 0;  ///< scratchpad bytes of the unit before
    size_t buffers_ = 0;        ///< its first buffer

    void check(const LinkUnit &unit) const {
        const Program &p = *unit.program;
        if (!p.arguments.empty()) raise(Diag::link_unit, {unit.name}, unit.name, "kernel arguments");
        if (p.machine_hash != target_.hash) raise(Diag::link_unit, {unit.name}, unit.name, "another machine");
    }

    void append(const LinkUnit &unit, int k) {
        check(unit);
        const Program &p = *unit.program;
        const uint64_t size = scratchpad_end(p), room = target_.spm_bytes;
        // The other end of the scratchpad than the unit before.
        const uint64_t base = lo_ == 0 && size <= room ? (room - size) / placement_alignment * placement_alignment : 0;
        const bool apart = k == 0 || base >= hi_ || base + size <= lo_;
        const std::vector<uint8_t> token = tokens_.of_unit(p, k % 2);
        const std::set<uint32_t> early = options_.prefetch && apart && k > 0 ? early_loads(unit) : std::set<uint32_t>{};

        const auto first = static_cast<uint32_t>(out_.code.size());
        size_t debug = 0;
        for (uint32_t pc : early) emit(unit, pc, base, token, debug = 0);
        // The unit before runs until the barrier.
        for (size_t b = buffers_; b < out_.buffers.size(); b++) out_.buffers[b].last = static_cast<uint32_t>(out_.code.size());
        buffers_ = out_.buffers.size();
        if (k > 0) barrier();
        debug = 0;
        for (uint32_t pc = 0; pc + 1 < p.code.size(); pc++)
            if (!early.contains(pc)) emit(unit, pc, base, token, debug);
        for (BufferEntry b : p.buffers) {
            b.name = unit.name + "." + b.name;
            if (b.space == Space::spm) b.offset += base;
            if (b.space == Space::ext) b.offset += static_cast<uint64_t>(constants_of(unit));
            b.first = first;
            b.last = static_cast<uint32_t>(out_.code.size());
            out_.buffers.push_back(std::move(b));
        }
        for (size_t r = 0; r < unit.regions.size(); r++)
            if (const LinkedRegion &l = unit.regions[r]; l.bytes > 0)
                out_.buffers.push_back({unit.name + "." + p.regions[r].name, Space::ext, static_cast<uint64_t>(l.first), static_cast<uint64_t>(l.bytes), 1,
                                        static_cast<uint64_t>(l.bytes), first, static_cast<uint32_t>(out_.code.size())});
        lo_ = base;
        hi_ = base + size;
    }

    /// Where the unit's own constants begin in the whole.
    static int64_t constants_of(const LinkUnit &unit) {
        for (size_t r = 0; r < unit.regions.size(); r++)
            if (unit.program->regions[r].kind == RegionKind::constants) return unit.regions[r].offset;
        return 0;
    }

    /// Loads of constants at the unit's start that no other load precedes: they need nothing of the unit before.
    std::set<uint32_t> early_loads(const LinkUnit &unit) const {
        const Program &p = *unit.program;
        std::set<uint32_t> early;
        for (uint32_t pc = 0; pc < p.code.size(); pc++) {
            const Instruction &i = p.code[pc];
            const InstructionInfo *row = find_instruction(i.op);
            if (row->form == InstructionForm::ctl_loop || row->form == InstructionForm::ctl_branch || row->form == InstructionForm::ctl_jump) break;
            if (row->queue != Queue::LD) continue;
            if (i.op != Opcode::op_load || i.extra != no_extra || i.wait[0] != no_token || i.wait[1] != no_token) break;
            const Stream &to = p.streams[i.stream], &from = p.streams[i.stream + 1];
            const Domain &d = p.domains[i.domain];
            if (out_.regions[unit.regions[from.region].region].kind != RegionKind::constants || uses_registers(d, to) || uses_registers(d, from)) break;
            early.insert(pc);
        }
        return early;
    }

    /// Every queue of the unit before has drained before any queue of the next one starts.
    void barrier() {
        constexpr struct {
            Queue queue;
            Opcode sync;
        } others[] = {{Queue::ST, Opcode::op_sync_st}, {Queue::MX, Opcode::op_sync_mx}, {Queue::OU, Opcode::op_sync_ou}, {Queue::VX, Opcode::op_sync_vx}};
        for (const auto &o : others) out_.code.push_back({.op = o.sync, .signal = {tokens_.barrier(o.queue, Queue::LD), no_token}});
        for (size_t pair = 0; pair < 4; pair += 2)
            out_.code.push_back({.op = Opcode::op_sync_ld,
                                 .wait = {tokens_.barrier(others[pair].queue, Queue::LD), tokens_.barrier(others[pair + 1].queue, Queue::LD)}});
        for (size_t pair = 0; pair < 4; pair += 2)
            out_.code.push_back({.op = Opcode::op_sync_ld,
                                 .signal = {tokens_.barrier(Queue::LD, others[pair].queue), tokens_.barrier(Queue::LD, others[pair + 1].queue)}});
        for (const auto &o : others) out_.code.push_back({.op = o.sync, .wait = {tokens_.barrier(Queue::LD, o.queue), no_token}});
    }

    Stream moved(Stream s, const LinkUnit &unit, uint64_t base) const {
        if (s.space == Space::spm) s.base += static_cast<int64_t>(base);
        if (s.space == Space::ext) {
            const LinkedRegion &r = unit.regions[s.region];
            s.region = static_cast<uint8_t>(r.region);
            s.base += r.offset;
        }
        return s;
    }

    /// Instruction `pc` of the unit; `debug` runs along its debug entries.
    void emit(const LinkUnit &unit, uint32_t pc, uint64_t base, const std::vector<uint8_t> &token, size_t &debug) {
        const Program &p = *unit.program;
        Instruction i = p.code[pc];
        const InstructionForm form = find_instruction(i.op)->form;
        const bool tile = form == InstructionForm::tile;
        if (tile || form == InstructionForm::sync)
            for (auto *set : {&i.wait, &i.signal})
                for (uint8_t &t : *set)
                    if (t != no_token) t = token[t];
        if (tile) {
            std::vector<Stream> streams;
            for (int s = 0; s < i.stream_count; s++) streams.push_back(moved(p.streams[i.stream + s], unit, base));
            i.stream = tables_.streams(streams);
            i.domain = tables_.domain(p.domains[i.domain]);
            const Queue queue = find_instruction(i.op)->queue;
            if (i.extra != no_extra)
                i.extra = queue == Queue::OU || queue == Queue::VX ? tables_.micro_program(p.micro_programs[i.extra]) : tables_.fill(p.fills[i.extra]);
        }
        while (debug < p.debug.size() && p.debug[debug].pc < pc) debug++;
        if (debug < p.debug.size() && p.debug[debug].pc == pc) {
            DebugEntry d = p.debug[debug];
            d.pc = static_cast<uint32_t>(out_.code.size());
            d.stage = unit.name + "." + d.stage;
            out_.debug.push_back(std::move(d));
        }
        out_.code.push_back(i);
    }
};

}  // namespace

Program link(Program whole, const std::vector<LinkUnit> &units, const TargetDesc &target, const LinkOptions &options) {
    return Linker(std::move(whole), target, options).run(units);
}

}  // namespace emulsion
