#include "npu_backend/verify/memory_rules.h"

#include "npu_backend/verify/domain_points.h"
#include "npu_backend/verify/output_coverage.h"
#include "npu_backend/verify/own_writes.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

constexpr std::string_view space_names[] = {"EXT", "SPM", "ACC", "LUT"};

bool in_use(const BufferEntry &b, uint32_t pc) { return b.last == 0 || (b.first <= pc && pc < b.last); }

bool holds_values_at_launch(RegionKind kind) { return kind == RegionKind::input || kind == RegionKind::constants; }

}  // namespace

MemoryRules::MemoryRules(const Program &program, const TargetDesc &target, std::span<const RegionExtent> regions)
    : program_(program), given_(regions.begin(), regions.end()), builder_(program) {
    const auto spm = static_cast<int64_t>(target.spm_bytes), acc = static_cast<int64_t>(target.acc_bytes);
    scratchpad_ = {"SPM", 0, spm, true, Shadow(0, spm, false, false)};
    accumulator_ = {"ACC", 0, acc, true, Shadow(0, acc, false, true)};
    for (size_t r = 0; r < program.regions.size(); r++) regions_.push_back(make_region(program.regions[r], regions[r]));
}

MemoryRules::Memory MemoryRules::make_region(const Region &region, const RegionExtent &given) const {
    const bool own = region.kind == RegionKind::constants || region.kind == RegionKind::arena;
    Memory m{"EXT region \"" + region.name + "\"", own ? 0 : given.lo, own ? region.bytes : given.hi, true, {}};
    m.writable = !holds_values_at_launch(region.kind);
    if (m.writable) m.shadow.emplace(m.lo, m.hi, region.kind == RegionKind::output, false);
    if (m.shadow && !given.held.empty()) {
        Runs held;
        for (const auto &[lo, hi] : given.held) held.push_back({std::max(lo, m.lo), std::min(hi, m.hi)});
        make_canonical(held);
        m.shadow->hold(held);
    }
    return m;
}

MemoryRules::Memory &MemoryRules::memory_of(const ResolvedStream &stream) {
    if (stream.space == Space::ext) return regions_[stream.region];
    return stream.space == Space::acc ? accumulator_ : scratchpad_;
}

void MemoryRules::start(const Dispatched &op, const Access &access) {
    started_[static_cast<int>(access.queue)].push_back(op.pc);
    check_domain_size(program_, op);
    builder_.build(op, effects_);
    for (const Effect &e : effects_) {
        const ResolvedStream &s = op.stream[e.operand];
        check_bounds(op.pc, e, memory_of(s));
        check_buffer(op.pc, e, s);
    }
    for (const Effect &e : effects_)
        if (e.write)
            write(op, e, access);
        else
            read(op, e, access);
}

void MemoryRules::check_bounds(uint32_t pc, const Effect &effect, const Memory &memory) const {
    const ByteRange h = effect.hull();
    if (effect.write && !memory.writable)
        raise(Diag::verify_write_protected, place_of(program_, pc), effect.operand, h.lo, h.hi, memory.name);
    if (h.lo < memory.lo || h.hi > memory.hi)
        raise(Diag::verify_out_of_region, place_of(program_, pc), effect.operand, h.lo, h.hi, memory.name, memory.lo,
              memory.hi);
}

// Programs name the ranges of scratchpad and accumulator that belong together; one operand stays inside one slot of one
// of them.
void MemoryRules::check_buffer(uint32_t pc, const Effect &effect, const ResolvedStream &stream) const {
    if (stream.space == Space::ext && program_.regions[stream.region].kind != RegionKind::constants) return;
    const ByteRange h = effect.hull();
    bool named = false;
    for (const BufferEntry &b : program_.buffers) {
        if (b.space != stream.space || b.bytes == 0 || !in_use(b, pc)) continue;
        named = true;
        const int64_t offset = h.lo - static_cast<int64_t>(b.offset), bytes = static_cast<int64_t>(b.bytes);
        if (offset < 0 || offset / bytes >= b.slots) continue;
        if (offset % bytes + (h.hi - h.lo) <= static_cast<int64_t>(b.used ? b.used : b.bytes)) return;
    }
    if (named)
        raise(Diag::verify_crosses_buffer, place_of(program_, pc), effect.operand, h.lo, h.hi,
              space_names[static_cast<int>(stream.space)], buffer_at(stream, h.lo, pc));
}

std::string MemoryRules::buffer_at(const ResolvedStream &stream, int64_t address, uint32_t pc) const {
    for (const BufferEntry &b : program_.buffers) {
        if (b.space != stream.space || b.bytes == 0 || !in_use(b, pc)) continue;
        const int64_t offset = address - static_cast<int64_t>(b.offset), bytes = static_cast<int64_t>(b.bytes);
        if (offset >= 0 && offset / bytes < b.slots)
            return fmt::format("buffer \"{}\" slot {} at [{}, {})", b.name, offset / bytes, address - offset % bytes,
                               address - offset % bytes + bytes);
    }
    return "no named buffer";
}

void MemoryRules::read(const Dispatched &op, const Effect &effect, const Access &access) {
    const ResolvedStream &stream = op.stream[effect.operand];
    Memory &memory = memory_of(stream);
    if (!memory.shadow) return;
    Runs unwritten;
    if (auto c = memory.shadow->read(effect.runs(), access, stream.type, unwritten))
        refuse(op, effect, access, *c, memory);
    if (unwritten.empty()) return;
    const auto early = read_too_early(op, effect.operand, std::move(unwritten));
    if (early)
        raise(Diag::verify_unwritten, place_of(program_, op.pc), effect.operand, early->lo, early->hi, memory.name,
              buffer_at(stream, early->lo, op.pc));
}

// Of bytes that nobody wrote before, the first that the instruction really reads before it writes them itself.
std::optional<ByteRange> MemoryRules::read_too_early(const Dispatched &op, int operand, Runs unwritten) {
    if (!op.micro) return unwritten.front();
    const auto &accesses = builder_.point_accesses_of(op.pc);
    if (!accesses[operand].loads.empty()) unwritten = common_bytes(unwritten, builder_.exact_read(op, operand));
    if (unwritten.empty()) return {};
    return read_before_own_write(program_, op, accesses, op.stream[operand].space, unwritten);
}

void MemoryRules::write(const Dispatched &op, const Effect &effect, const Access &access) {
    const ResolvedStream &stream = op.stream[effect.operand];
    Memory &memory = memory_of(stream);
    const Runs runs = effect.runs();
    check_copied_once(op, effect, runs);
    if (auto c = memory.shadow->write(runs, access, stream.type, effect.certainty))
        refuse(op, effect, access, *c, memory);
}

// A copy that writes a byte twice keeps only one of two sources: a dimension too many, or a stride too small.
void MemoryRules::check_copied_once(const Dispatched &op, const Effect &effect, const Runs &runs) const {
    constexpr Opcode copies[] = {Opcode::op_load, Opcode::op_store, Opcode::op_copy, Opcode::op_preload};
    if (std::find(std::begin(copies), std::end(copies), op.insn->op) == std::end(copies)) return;
    int64_t bytes = 0;
    for (const ByteRange &r : runs) bytes += r.hi - r.lo;
    const int64_t elements = static_cast<int64_t>(op.points()) * info(op.stream[effect.operand].type).bytes;
    if (bytes != elements)
        raise(Diag::verify_move_overlaps, place_of(program_, op.pc), effect.operand, elements, bytes);
}

void MemoryRules::refuse(const Dispatched &op, const Effect &effect, const Access &access, const Conflict &c,
                         const Memory &memory) const {
    const Place place = place_of(program_, op.pc);
    const std::string other = c.sequence ? describe(program_, started_[static_cast<int>(c.queue)][c.sequence - 1]) : "";
    const std::string_view queue = queue_names[static_cast<int>(c.queue)];
    const std::string where = buffer_at(op.stream[effect.operand], c.bytes.lo, op.pc);
    using Kind = Conflict::Kind;
    if (c.kind == Kind::written_twice)
        raise(Diag::verify_written_twice, place, effect.operand, c.bytes.lo, c.bytes.hi, memory.name, other);
    if (c.kind == Kind::format)
        raise(Diag::verify_accumulator_format, place, effect.operand, c.bytes.lo, c.bytes.hi,
              info(op.stream[effect.operand].type).name, other, info(c.format).name);
    const std::string_view mine = effect.write ? "writes" : "reads",
                           theirs = c.kind == Kind::unordered_write ? "writes" : "reads";
    raise(Diag::verify_race, place, effect.operand, mine, c.bytes.lo, c.bytes.hi, memory.name, where, queue, other,
          theirs, c.sequence, access.before[static_cast<int>(c.queue)]);
}

void MemoryRules::finish(std::span<const int64_t> arguments) const {
    for (size_t r = 0; r < regions_.size(); r++)
        if (program_.regions[r].kind == RegionKind::output)
            check_coverage(program_, static_cast<int>(r), given_[r], arguments, regions_[r].shadow->written());
}

}  // namespace emulsion::verifier
