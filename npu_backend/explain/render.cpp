// The text and the JSON of an explanation.
#include "npu_backend/explain/explain.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace emulsion {
namespace {

double percent(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string_view space_name(Space s) {
    return s == Space::acc ? "accumulator" : s == Space::lut ? "tables" : "scratchpad";
}

std::string roofline_text(const Explanation &e) {
    if (e.roofs.empty()) return "";
    std::string text = fmt::format("  roofline      {} cycles, set by {}: {:.1f} % reached\n", e.roofs.front().cycles,
                                   e.roofs.front().resource, 100 * e.roofline_fraction());
    for (const Roof &r : e.roofs)
        text += fmt::format("    {:<14}{:>12}  {:5.1f} %\n", r.resource, r.cycles, percent(r.cycles, e.timing.cycles));
    if (e.timing.macs)
        text +=
            fmt::format("  MAC array     {:.1f} % of its rate ({} MAC)\n", 100 * e.array_utilisation(), e.timing.macs);
    return text;
}

std::string waits_text(const QueueReport &r, uint64_t cycles) {
    std::string text;
    for (int from = 0; from < queue_count; from++)
        if (r.wait_for[from])
            text += fmt::format("  waits for {} {:.1f} %", from ? queue_names[from] : "nobody",
                                percent(r.wait_for[from], cycles));
    if (r.wait_issue) text += fmt::format("  nothing to do {:.1f} %", percent(r.wait_issue, cycles));
    if (r.stretched) text += fmt::format("  lost to shared bandwidth {:.1f} %", percent(r.stretched, cycles));
    return text;
}

std::string queues_text(const Explanation &e) {
    std::string text = "  queues\n";
    const QueueReport &control = e.timing.queue[0];
    text += fmt::format("    CTL {:>8} instructions  busy {:5.1f} %  stopped by full queues {:.1f} %\n",
                        control.instructions, percent(control.busy, e.timing.cycles),
                        percent(control.wait_issue, e.timing.cycles));
    for (int q = 1; q < queue_count; q++) {
        const QueueReport &r = e.timing.queue[q];
        if (r.instructions == 0) continue;
        text += fmt::format("    {:<3} {:>8} instructions  busy {:5.1f} %{}\n", queue_names[q], r.instructions,
                            percent(r.busy, e.timing.cycles), waits_text(r, e.timing.cycles));
    }
    return text;
}

std::string stages_text(const Explanation &e) {
    std::string text = "  stages\n";
    for (const StageTime &s : e.stages)
        text += fmt::format("    {:<3} {:>12} cycles  {:>8} x  {}\n", queue_names[static_cast<int>(s.queue)], s.busy,
                            s.instructions, s.stage);
    return text;
}

std::string memory_text(const Explanation &e) {
    std::string text = fmt::format("  scratchpad    {} of {} B at the peak ({:.1f} %)\n", e.spm_peak, e.spm_bytes,
                                   percent(e.spm_peak, e.spm_bytes));
    if (e.acc_peak)
        text += fmt::format("  accumulator   {} of {} B at the peak ({:.1f} %)\n", e.acc_peak, e.acc_bytes,
                            percent(e.acc_peak, e.acc_bytes));
    for (const BufferEntry &b : e.buffers)
        text += fmt::format("    {:>10} B  {} x {} B at {:#x}, {}: {}\n", b.bytes * b.slots, b.slots, b.bytes, b.offset,
                            space_name(b.space), b.name);
    return text;
}

// Gain as a share of the cycles there are now: negative is faster.
double gain(const Explanation &e, const WhatIf &w) {
    return e.timing.cycles == 0 ? 0 : 100 * (static_cast<double>(w.cycles) / static_cast<double>(e.timing.cycles) - 1);
}

std::string what_if_text(const Explanation &e) {
    std::string helps, useless;
    for (const WhatIf &w : e.what_if) {
        if (w.cycles == e.timing.cycles)
            useless += (useless.empty() ? "" : ", ") + w.change;
        else
            helps += fmt::format("    {:>12} cycles  {:+6.1f} %  with {}\n", w.cycles, gain(e, w), w.change);
    }
    std::string text = "  same program, simulated again\n" + helps;
    if (!useless.empty()) text += "    no change with " + useless + "\n";
    return text;
}

nlohmann::ordered_json queue_json(const QueueReport &r) {
    nlohmann::ordered_json waits = nlohmann::ordered_json::object();
    for (int from = 0; from < queue_count; from++)
        if (r.wait_for[from]) waits[std::string(from ? queue_names[from] : "nobody")] = r.wait_for[from];
    return {{"instructions", r.instructions}, {"busy", r.busy},           {"wait_token", r.wait_token},
            {"wait_issue", r.wait_issue},     {"stretched", r.stretched}, {"wait_for", waits}};
}

}  // namespace

std::string to_text(const Explanation &e) {
    return fmt::format("{} on {}: {} cycles\n", e.program, e.machine, e.timing.cycles) + roofline_text(e) +
           queues_text(e) + stages_text(e) + memory_text(e) +
           fmt::format("  moved         {} B in, {} B out\n", e.timing.ext_read, e.timing.ext_written) +
           fmt::format("  energy        {:.3f} uJ\n", e.timing.energy_pj / 1e6) + what_if_text(e);
}

std::string to_json(const Explanation &e) {
    nlohmann::ordered_json j = {{"program", e.program}, {"target", e.machine}, {"cycles", e.timing.cycles}};
    j["roofline"] = {{"fraction", e.roofline_fraction()}, {"roofs", nlohmann::ordered_json::array()}};
    for (const Roof &r : e.roofs) j["roofline"]["roofs"].push_back({{"resource", r.resource}, {"cycles", r.cycles}});
    j["array"] = {{"macs", e.timing.macs}, {"utilisation", e.array_utilisation()}};
    for (int q = 0; q < queue_count; q++) j["queues"][std::string(queue_names[q])] = queue_json(e.timing.queue[q]);
    j["stages"] = nlohmann::ordered_json::array();
    for (const StageTime &s : e.stages)
        j["stages"].push_back({{"stage", s.stage},
                               {"queue", queue_names[static_cast<int>(s.queue)]},
                               {"instructions", s.instructions},
                               {"busy", s.busy}});
    j["memory"] = {{"scratchpad_peak", e.spm_peak},
                   {"scratchpad_bytes", e.spm_bytes},
                   {"accumulator_peak", e.acc_peak},
                   {"accumulator_bytes", e.acc_bytes}};
    j["buffers"] = nlohmann::ordered_json::array();
    for (const BufferEntry &b : e.buffers)
        j["buffers"].push_back({{"name", b.name},
                                {"space", space_name(b.space)},
                                {"offset", b.offset},
                                {"bytes", b.bytes},
                                {"slots", b.slots}});
    j["moved"] = {{"read", e.timing.ext_read}, {"written", e.timing.ext_written}};
    j["energy_pj"] = e.timing.energy_pj;
    j["what_if"] = nlohmann::ordered_json::array();
    for (const WhatIf &w : e.what_if)
        j["what_if"].push_back({{"change", w.change}, {"cycles", w.cycles}, {"percent", gain(e, w)}});
    // Names come from program files, which may hold any bytes.
    return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace emulsion
