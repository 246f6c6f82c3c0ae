#include "npu_backend/explain/what_if.h"

#include "runtime/emulator/emulator.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion {
namespace {

struct Change {
    const char *name;
    void (*apply)(TargetDesc &);
};

uint32_t twice(uint32_t v) { return v > UINT32_MAX / 2 ? UINT32_MAX : 2 * v; }

constexpr Change changes[] = {
    {"twice the external bandwidth",
     [](TargetDesc &t) { t.ext.bytes_per_cycle_x10 = twice(t.ext.bytes_per_cycle_x10); }},
    {"no external latency", [](TargetDesc &t) { t.ext.latency = 0; }},
    {"twice the requests in flight", [](TargetDesc &t) { t.ext.outstanding = twice(t.ext.outstanding); }},
    {"twice the scratchpad bandwidth", [](TargetDesc &t) { t.spm_bytes_per_cycle = twice(t.spm_bytes_per_cycle); }},
    {"twice the array rows", [](TargetDesc &t) { t.array.rows = twice(t.array.rows); }},
    {"twice the array columns", [](TargetDesc &t) { t.array.columns = twice(t.array.columns); }},
    {"twice the depthwise multipliers", [](TargetDesc &t) { t.array.depthwise_macs = twice(t.array.depthwise_macs); }},
    {"twice the weight bandwidth",
     [](TargetDesc &t) { t.array.weight_bytes_per_cycle = twice(t.array.weight_bytes_per_cycle); }},
    {"twice the output rate", [](TargetDesc &t) { t.output_elements_per_cycle = twice(t.output_elements_per_cycle); }},
    {"twice the vector lanes", [](TargetDesc &t) { t.vector_lanes = twice(t.vector_lanes); }},
    {"no output and vector latency", [](TargetDesc &t) { t.output_latency = t.vector_latency = 0; }},
    {"queues twice as deep", [](TargetDesc &t) { t.queue_depth = twice(t.queue_depth); }},
};

// A ring's depth is the initial count of the token that frees its slots. Timing needs no addresses, so one slot more is
// one count more, wherever the slot would lie.
bool deepen_rings(Program &program) {
    bool any = false;
    for (TokenInit &t : program.tokens) {
        if (t.initial == 0 || t.initial == UINT8_MAX) continue;
        t.initial++;
        any = true;
    }
    return any;
}

uint64_t bytes_of_one_slot_each(const Program &program) {
    uint64_t bytes = 0;
    for (const BufferEntry &b : program.buffers)
        if (b.space == Space::spm) bytes += b.bytes;
    return bytes;
}

}  // namespace

std::vector<WhatIf> what_if(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments) {
    std::vector<WhatIf> answers;
    for (const Change &c : changes) {
        TargetDesc changed = target;
        c.apply(changed);
        answers.push_back({c.name, simulate(program, changed, arguments).cycles});
    }
    if (Program deeper = program; deepen_rings(deeper))
        answers.push_back(
            {fmt::format("one slot more in every ring (at most {} B of scratchpad)", bytes_of_one_slot_each(program)),
             simulate(deeper, target, arguments).cycles});
    std::stable_sort(answers.begin(), answers.end(),
                     [](const WhatIf &a, const WhatIf &b) { return a.cycles < b.cycles; });
    return answers;
}

}  // namespace emulsion
