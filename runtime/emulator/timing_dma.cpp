// DMA: load, store, fill, copy.
#include "runtime/emulator/timing_work.h"

namespace emulsion::timing {
namespace {

struct Step {
    uint64_t stride, count;
};

uint64_t points_in_box(const Operation &op) {
    uint64_t n = 1;
    for (int d = 0; d < op.rank(); d++) n = times(n, op.extent_in_box(d));
    return n;
}

// Elements of stream k that really travel: inside the box, broadcasts once.
uint64_t elements_moved(const Operation &op, int k) {
    uint64_t n = 1;
    for (int d = 0; d < op.rank(); d++) {
        const uint64_t inside = op.extent_in_box(d);
        if (inside == 0) return 0;
        if (op.stride_magnitude(k, d) != 0) n = times(n, inside);
    }
    return n;
}

}  // namespace

ExternalRuns external_runs(const Operation &op, int k, uint32_t burst_bytes) {
    std::array<Step, max_rank> steps;
    int count = 0;
    for (int d = 0; d < op.rank(); d++) {
        const Step s{op.stride_magnitude(k, d), op.extent_in_box(d)};
        if (s.count == 0) return {};
        if (s.count == 1 || s.stride == 0) continue;
        int at = count++;  // by increasing stride
        for (; at > 0 && steps[at - 1].stride > s.stride; at--) steps[at] = steps[at - 1];
        steps[at] = s;
    }
    ExternalRuns runs{1, op.element_bytes(k)};
    for (int d = 0; d < count; d++) {
        const bool joins = runs.count == 1 && steps[d].stride < std::max<uint64_t>(runs.bytes + 1, burst_bytes);
        if (joins)
            runs.bytes = std::min(count_limit, runs.bytes + times(steps[d].stride, steps[d].count - 1));
        else
            runs.count = times(runs.count, steps[d].count);
    }
    return runs;
}

// The channel is taken for the transfer alone. `outstanding` requests are in flight at once, each for `latency`, so one
// more can start every latency / outstanding cycles, whichever instruction it belongs to. The latency of the last
// request delays completion; counting it in the occupancy too would charge a chain of small loads for a latency they
// overlap. A request is a run of up to request_bytes: were it one burst, no preset could reach the bandwidth it states
// (32 x 64 B / 200 cycles is 10 B/cycle).
Work transfer_work(const Operation &op, const CostModel &model) {
    const bool is_load = op.instruction().op == Opcode::op_load;
    const int external = is_load ? 1 : 0;
    const MemoryDesc &ext = model.target.ext;
    const ExternalRuns runs = external_runs(op, external, ext.burst_bytes);
    const uint64_t requests = times(runs.count, ceil_div(runs.bytes, ext.request_bytes));
    Work w;
    w.ext_bytes = times(runs.count, ceil_div(runs.bytes, ext.burst_bytes), std::max<uint64_t>(1, ext.burst_bytes));
    w.spm_bytes = times(op.points(), op.element_bytes(external));
    // Elements that overlap (windows) travel once.
    (is_load ? w.ext_read : w.ext_written) =
        std::min(times(elements_moved(op, external), op.element_bytes(external)), w.ext_bytes);
    w.occupancy = std::max(cycles_at(w.ext_bytes, ext.bytes_per_cycle_x10),
                           ceil_div(times(requests, ext.latency), ext.outstanding));
    w.latency = runs.count == 0 ? 0 : ext.latency;
    return w;
}

Work fill_work(const Operation &op, const CostModel &) {
    Work w;
    w.spm_bytes = times(op.points(), op.element_bytes(0));
    return w;
}

Work copy_work(const Operation &op, const CostModel &) {
    Work w;
    w.spm_bytes = times(op.points() + points_in_box(op), op.element_bytes(0));
    return w;
}

}  // namespace emulsion::timing
