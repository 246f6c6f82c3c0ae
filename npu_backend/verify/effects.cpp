#include "npu_backend/verify/effects.h"

#include "npu_backend/verify/boundary.h"
#include "npu_backend/verify/instruction_rules.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

// One loop of an access: coordinates [first, first + count) times stride.
struct Axis {
    int64_t stride = 0, first = 0, count = 1;
};

Lattice make_part(const Program &program, uint32_t pc, int operand, int64_t base, const Runs &pattern,
                  const std::vector<Axis> &axes) {
    CheckedSum origin{base}, lo{base}, hi{base};
    std::vector<Step> steps;
    for (const Axis &a : axes) {
        origin.add_product(a.first, a.stride);
        const int64_t last = a.first + a.count - 1;
        lo.add_product(a.stride < 0 ? last : a.first, a.stride);
        hi.add_product(a.stride < 0 ? a.first : last, a.stride);
        steps.push_back({a.stride, a.count});
    }
    lo.add(pattern.front().lo);
    hi.add(pattern.back().hi);
    if (origin.overflow || lo.overflow || hi.overflow)
        raise(Diag::verify_address_overflow, place_of(program, pc), operand);
    auto lattice = Lattice::make(origin.value, pattern, std::move(steps));
    if (!lattice) raise(Diag::verify_footprint, place_of(program, pc), operand, Lattice::run_limit);
    return std::move(*lattice);
}

// Keeps the arithmetic on coordinates inside 64 bits and the list of repeated coordinates short.
void check_box(const Program &program, const Dispatched &op, int operand, int d) {
    constexpr int64_t far = int64_t{1} << 40;
    const ResolvedFill &f = op.fill;
    for (int64_t c : {f.origin[d], f.lo[d], f.hi[d]})
        if (c < -far || c > far) raise(Diag::verify_address_overflow, place_of(program, op.pc), operand);
    if (f.mode != FillMode::constant && f.lo[d] >= f.hi[d])
        raise(Diag::verify_empty_box, place_of(program, op.pc), d, f.lo[d], f.hi[d]);
    if (f.mode > FillMode::repeat_edge && op.extent[d] > Lattice::run_limit)
        raise(Diag::verify_footprint, place_of(program, op.pc), operand, Lattice::run_limit);
}

std::vector<Axis> axes_of(const Dispatched &op, const ResolvedStream &o) {
    std::vector<Axis> axes;
    for (int d = 0; d < op.rank; d++) axes.push_back({o.stride[d], 0, op.extent[d]});
    return axes;
}

}  // namespace

ByteRange Effect::hull() const {
    ByteRange h = parts.front().hull();
    for (const Lattice &p : parts) {
        const ByteRange r = p.hull();
        h = {std::min(h.lo, r.lo), std::max(h.hi, r.hi)};
    }
    return h;
}

Runs Effect::runs() const {
    if (parts.size() == 1) return parts.front().runs();
    Runs all;
    for (const Lattice &p : parts) {
        const Runs r = p.runs();
        all.insert(all.end(), r.begin(), r.end());
    }
    make_canonical(all);
    return all;
}

void EffectBuilder::build(const Dispatched &op, std::vector<Effect> &out) {
    out.clear();
    const InstructionRule *rule = find_rule(op.insn->op);
    if (!rule || op.empty) return;
    if (rule->extra == Extra::micro_program)
        build_micro(op, out);
    else
        build_plain(op, out);
    std::stable_partition(out.begin(), out.end(), [](const Effect &e) { return !e.write; });
}

void EffectBuilder::add(const Dispatched &op, Effect effect, Runs pattern, std::vector<Effect> &out) const {
    if (pattern.empty()) return;
    const ResolvedStream &o = op.stream[effect.operand];
    effect.parts.push_back(make_part(program_, op.pc, effect.operand, o.base, pattern, axes_of(op, o)));
    out.push_back(std::move(effect));
}

void EffectBuilder::build_plain(const Dispatched &op, std::vector<Effect> &out) const {
    const InstructionRule &rule = *find_rule(op.insn->op);
    for (int k = 0; k < rule.operand_count; k++) {
        const Use use = rule.operands[k].use;
        const Runs element{{0, info(op.stream[k].type).bytes}};
        if (use == Use::read && op.has_fill) {
            Effect boxed = through_box(op, k);
            if (!boxed.parts.empty()) out.push_back(std::move(boxed));
            continue;
        }
        if (use == Use::read || (use == Use::accumulate && !op.overwrite))
            add(op, {k, false, Certainty::always, {}}, element, out);
        if (use != Use::read) add(op, {k, true, Certainty::always, {}}, element, out);
    }
}

// A boxed dimension reads some intervals of coordinates; the footprint is the product of the dimensions' intervals.
Effect EffectBuilder::through_box(const Dispatched &op, int operand) const {
    const ResolvedFill &fill = op.fill;
    const ResolvedStream &o = op.stream[operand];
    std::vector<std::vector<Axis>> products{{}};
    for (int d = 0; d < op.rank; d++) {
        Runs intervals{{0, op.extent[d]}};
        if (fill.boxed[d]) {
            const int64_t origin = fill.origin[d], lo = fill.lo[d], hi = fill.hi[d];
            check_box(program_, op, operand, d);
            intervals = coordinates_read(fill.mode, origin, op.extent[d], lo, hi);
        }
        std::vector<std::vector<Axis>> next;
        for (const auto &axes : products)
            for (const ByteRange &r : intervals) {
                next.push_back(axes);
                next.back().push_back({o.stride[d], r.lo, r.hi - r.lo});
            }
        products.swap(next);
    }
    Effect effect{operand, false, Certainty::always, {}};
    const Runs element{{0, info(o.type).bytes}};
    for (const auto &axes : products)
        effect.parts.push_back(make_part(program_, op.pc, operand, o.base, element, axes));
    return effect;
}

const std::vector<PointAccesses> &EffectBuilder::point_accesses_of(uint32_t pc) {
    if (micro_[pc].empty()) micro_[pc] = point_accesses(program_, program_.code[pc]);
    return micro_[pc];
}

void EffectBuilder::build_micro(const Dispatched &op, std::vector<Effect> &out) {
    const auto &accesses = point_accesses_of(op.pc);
    for (int k = 0; k < static_cast<int>(accesses.size()); k++) {
        const PointAccesses &p = accesses[k];
        add(op, {k, false, Certainty::always, {}}, p.read, out);
        add(op, {k, true, Certainty::always, {}}, p.written, out);
        add(op, {k, true, Certainty::maybe, {}}, p.maybe, out);
        for (const ControlledAccess &c : p.stores) {
            Effect e = controlled(op, k, c);
            if (!e.parts.empty()) out.push_back(std::move(e));
        }
    }
}

Effect EffectBuilder::controlled(const Dispatched &op, int operand, const ControlledAccess &store) const {
    const ResolvedStream &o = op.stream[operand];
    make_part(program_, op.pc, operand, o.base, {store.bytes}, axes_of(op, o));  // raises for addresses beyond 64 bits
    Effect effect{operand, true, Certainty::always, {}};
    if (Runs bytes = visited(program_, op, o, store); !bytes.empty())
        effect.parts.push_back(*Lattice::make(0, std::move(bytes), {}));
    return effect;
}

Runs EffectBuilder::exact_read(const Dispatched &op, int operand) {
    const ResolvedStream &o = op.stream[operand];
    const PointAccesses &p = point_accesses_of(op.pc)[operand];
    Runs bytes;
    if (!p.sure_read.empty()) bytes = make_part(program_, op.pc, operand, o.base, p.sure_read, axes_of(op, o)).runs();
    for (const ControlledAccess &load : p.loads) {
        const Runs more = visited(program_, op, o, load);
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
    make_canonical(bytes);
    return bytes;
}

}  // namespace emulsion::verifier
