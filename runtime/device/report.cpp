#include "runtime/device/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace emulsion {

double utilisation(const TimingReport &timing) {
    return timing.cycles == 0 ? 0 : static_cast<double>(timing.mac_cycles) / static_cast<double>(timing.cycles);
}

uint64_t scratchpad_peak(const Program &program) {
    struct Range {
        uint64_t lo, hi;
    };
    // The set of buffers grows only where one begins to be used.
    std::set<uint32_t> starts;
    for (const BufferEntry &b : program.buffers) starts.insert(b.first);
    uint64_t peak = 0;
    for (uint32_t pc : starts) {
        std::vector<Range> held;
        for (const BufferEntry &b : program.buffers)
            if (b.space == Space::spm && b.first <= pc && (b.last == 0 || pc < b.last)) held.push_back({b.offset, b.offset + b.bytes * b.slots});
        std::sort(held.begin(), held.end(), [](const Range &a, const Range &b) { return a.lo < b.lo; });
        uint64_t bytes = 0, end = 0;  // buffers may share bytes
        for (const Range &r : held) {
            bytes += r.hi > end ? r.hi - std::max(r.lo, end) : 0;
            end = std::max(end, r.hi);
        }
        peak = std::max(peak, bytes);
    }
    return peak;
}

std::string summary_text(const Program &program, const TargetDesc &target, const TimingReport &timing) {
    std::string text = fmt::format("{} on {}\n", program.name, target.name);
    text += fmt::format("  cycles      {} ({:.3f} ms at {:.0f} MHz)\n", timing.cycles,
                        static_cast<double>(timing.cycles) / target.clock_mhz / 1e3, target.clock_mhz);
    for (int q = 0; q < queue_count; q++) {
        const QueueReport &r = timing.queue[q];
        if (r.instructions == 0) continue;
        text += fmt::format("    {:<4} {:>8} instructions  busy {:>10}  waits: token {}, issue {}, bandwidth {}\n",
                            queue_names[q], r.instructions, r.busy, r.wait_token, r.wait_issue, r.stretched);
    }
    text += fmt::format("  MAC array   {:.1f} % used ({} MAC)\n", 100 * utilisation(timing), timing.macs);
    text += fmt::format("  scratchpad  {} of {} B at the peak\n", scratchpad_peak(program), target.spm_bytes);
    text += fmt::format("  moved       {} B in, {} B out\n", timing.ext_read, timing.ext_written);
    text += fmt::format("  energy      {:.3f} uJ\n", timing.energy_pj / 1e6);
    return text;
}

std::string summary_json(const Program &program, const TargetDesc &target, const TimingReport &timing) {
    nlohmann::ordered_json j;
    j["program"] = program.name;
    j["target"] = target.name;
    j["cycles"] = timing.cycles;
    for (int q = 0; q < queue_count; q++) {
        const QueueReport &r = timing.queue[q];
        j["queues"][std::string(queue_names[q])] = {{"instructions", r.instructions}, {"busy", r.busy},
                                                    {"wait_token", r.wait_token},     {"wait_issue", r.wait_issue},
                                                    {"stretched", r.stretched}};
    }
    j["macs"] = timing.macs;
    j["utilisation"] = utilisation(timing);
    j["scratchpad_peak"] = scratchpad_peak(program);
    j["ext_read"] = timing.ext_read;
    j["ext_written"] = timing.ext_written;
    j["energy_pj"] = timing.energy_pj;
    return j.dump();
}

}  // namespace emulsion
