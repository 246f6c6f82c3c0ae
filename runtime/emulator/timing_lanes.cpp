// Units that work element by element: the output unit (drain) and the vector unit (run).
#include "runtime/emulator/timing_work.h"

#include <bit>

namespace emulsion::timing {
namespace {

uint64_t access_points(const Operation &op, const MicroProfile::Access &a) {
    return a.indexed ? op.points() : op.distinct_points(a.stream);
}

// Stream traffic of all loads and stores. Data-indexed ones fetch every element; the others read a broadcast once.
void add_accesses(const Operation &op, const MicroProfile &profile, Work &w) {
    for (const MicroProfile::Access &a : profile.accesses) {
        const uint64_t points = access_points(op, a), bytes = times(points, op.element_bytes(a.stream));
        if (op.stream(a.stream).space == Space::spm) w.spm_bytes += bytes;
        if (op.stream(a.stream).space == Space::acc) w.activity.acc_bytes += bytes;
        if (a.indexed) w.activity.lookups += points;
    }
    uint64_t slots = 0;
    for (uint64_t s : profile.slots) slots += s;
    w.activity.vector_ops = times(op.points(), slots);
}

uint64_t lanes(const TargetDesc &t, uint64_t bytes) { return std::max<uint64_t>(1, t.vector_lanes / bytes); }

// Cycles to issue the micro-program for `points` independent elements: each micro-op by the lanes of its own width.
uint64_t issue_cycles(const MicroProfile &profile, const TargetDesc &t, uint64_t points) {
    uint64_t cycles = 0;
    for (size_t k = 0; k < profile.slots.size(); k++)
        if (profile.slots[k]) cycles += times(profile.slots[k], ceil_div(points, lanes(t, uint64_t{1} << k)));
    return cycles;
}

// Two ways to reduce: outputs in the lanes and the reduced index one after another; or all elements in the lanes and a
// tree of log2(lanes) steps per output. The unit takes the shorter.
uint64_t reduce_cycles(const MicroProfile &profile, const TargetDesc &t, uint64_t outputs, uint64_t reduced) {
    const uint64_t in_turn = times(reduced, issue_cycles(profile, t, outputs));
    if (reduced == 1) return in_turn;
    const uint64_t steps = std::bit_width(lanes(t, profile.widest_bytes)) - 1;
    return std::min(in_turn, issue_cycles(profile, t, times(outputs, reduced)) + times(outputs, steps));
}

}  // namespace

Work drain_work(const Operation &op, const CostModel &model) {
    const MicroProfile &profile = model.profiles[op.instruction().extra];
    Work w;
    w.occupancy = ceil_div(times(op.points(), profile.result_bytes), model.target.output_elements_per_cycle);
    w.latency = model.target.output_latency;
    add_accesses(op, profile, w);
    return w;
}

Work run_work(const Operation &op, const CostModel &model) {
    const MicroProfile &profile = model.profiles[op.instruction().extra];
    const uint64_t serial = op.points(Role::serial), reduced = op.points(Role::reduce);
    Work w;
    w.occupancy = times(serial, reduce_cycles(profile, model.target,
                                              op.points() / std::max<uint64_t>(1, times(serial, reduced)), reduced));
    w.latency = model.target.vector_latency;
    add_accesses(op, profile, w);
    return w;
}

}  // namespace emulsion::timing
