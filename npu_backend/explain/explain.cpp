#include "npu_backend/explain/explain.h"

#include <algorithm>
#include <map>

namespace emulsion {
namespace {

std::vector<Roof> roofs_of(const TimingBound &bound) {
    std::vector<Roof> roofs;
    for (int q = 0; q < queue_count; q++)
        if (bound.queue[q]) roofs.push_back({std::string(queue_names[q]), bound.queue[q]});
    if (bound.ext) roofs.push_back({"EXT bandwidth", bound.ext});
    if (bound.spm) roofs.push_back({"SPM bandwidth", bound.spm});
    std::stable_sort(roofs.begin(), roofs.end(), [](const Roof &a, const Roof &b) { return a.cycles > b.cycles; });
    return roofs;
}

std::vector<StageTime> stages_of(const Program &program, const std::vector<TimingReport::Event> &events) {
    std::map<uint32_t, std::string> names;
    for (const DebugEntry &e : program.debug) names[e.pc] = e.stage;
    std::map<std::pair<std::string, int>, StageTime> stages;
    for (const TimingReport::Event &e : events) {
        const auto name = names.find(e.pc);
        const std::string stage =
            name == names.end() ? std::string(find_instruction(program.code[e.pc].op)->name) : name->second;
        StageTime &s = stages[{stage, e.queue}];
        s.stage = stage;
        s.queue = static_cast<Queue>(e.queue);
        s.instructions++;
        s.busy += e.end - e.start;
    }
    std::vector<StageTime> list;
    for (auto &[key, s] : stages) list.push_back(std::move(s));
    std::stable_sort(list.begin(), list.end(), [](const StageTime &a, const StageTime &b) { return a.busy > b.busy; });
    return list;
}

uint64_t total_bytes(const BufferEntry &b) { return b.bytes * b.slots; }

uint64_t peak(const Program &program, Space space) {
    uint64_t bytes = 0;
    for (const BufferEntry &b : program.buffers)
        if (b.space == space) bytes = std::max(bytes, b.offset + total_bytes(b));
    return bytes;
}

}  // namespace

double Explanation::roofline_fraction() const {
    return timing.cycles == 0 || roofs.empty()
               ? 0
               : static_cast<double>(roofs.front().cycles) / static_cast<double>(timing.cycles);
}

double Explanation::array_utilisation() const {
    return timing.cycles == 0 ? 0 : static_cast<double>(timing.mac_cycles) / static_cast<double>(timing.cycles);
}

Explanation explain(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments) {
    Explanation e;
    e.program = program.name;
    e.machine = target.name;
    e.timing = simulate(program, target, arguments, {.trace = true});
    e.stages = stages_of(program, e.timing.events);
    e.timing.events = {};
    e.roofs = roofs_of(bound_by_resource(program, target, arguments));
    std::copy_if(program.buffers.begin(), program.buffers.end(), std::back_inserter(e.buffers), [](const BufferEntry &b) { return b.space != Space::ext; });
    std::stable_sort(e.buffers.begin(), e.buffers.end(),
                     [](const BufferEntry &a, const BufferEntry &b) { return total_bytes(a) > total_bytes(b); });
    e.spm_peak = peak(program, Space::spm), e.spm_bytes = target.spm_bytes;
    e.acc_peak = peak(program, Space::acc), e.acc_bytes = target.acc_bytes;
    e.what_if = what_if(program, target, arguments);
    return e;
}

}  // namespace emulsion
