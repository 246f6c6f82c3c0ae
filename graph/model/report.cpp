#include "graph/model/report.h"

#include "graph/ir/print.h"
#include "graph/kernel/tensors.h"
#include "runtime/device/report.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace emulsion::graph {
namespace {

/// "conv2d + add" for a fused group.
std::string operators_of(const CompiledModel &m, const Kernel &k) {
    std::vector<std::string> names;
    for (NodeId n : k.nodes) names.push_back(m.graph.nodes[n].op);
    return names.empty() ? k.request.generator : fmt::format("{}", fmt::join(names, " + "));
}

/// Bytes that cross between host and NPU memory views for a host kernel: what it reads and writes.
int64_t boundary_bytes(const CompiledModel &m, const Kernel &k) {
    int64_t bytes = 0;
    for (const KernelArgument &a : k.arguments)
        if (a.value != no_value && !m.graph.value(a.value).is_constant()) bytes += byte_size(m.graph.value(a.value));
    return bytes;
}

/// Least cycles to move `bytes` over the external memory of the machine.
int64_t transfer_cycles(const CompiledModel &m, int64_t bytes) {
    const int64_t rate = std::max<int64_t>(m.target.ext.bytes_per_cycle_x10, 1);
    return m.target.ext.latency + (bytes * 10 + rate - 1) / rate;
}

std::string output_shape(const CompiledModel &m, const Kernel &k) {
    for (const KernelArgument &a : k.arguments)
        if (a.output) return shape_text(m.graph.value(a.value));
    return "";
}

uint64_t peak_of(const CompiledModel &m) {
    uint64_t peak = 0;
    for (const Segment &s : m.segments)
        peak = std::max(peak, emulsion::scratchpad_peak(s.program));
    return peak;
}

struct Totals {
    int npu = 0, host = 0, fused = 0;
    explicit Totals(const CompiledModel &m) {
        for (const Kernel &k : m.kernels) {
            (k.unit == Unit::npu ? npu : host)++;
            fused += k.nodes.size() > 1;
        }
    }
};

}  // namespace

std::string to_text(const CompiledModel &m, const std::vector<TimingReport> &timing, bool kernels) {
    std::string text;
    if (kernels)
        for (const Kernel &k : m.kernels)
            text += fmt::format("  {:4} {:32} {:28} {}\n", k.unit == Unit::npu ? "npu" : "host", operators_of(m, k), output_shape(m, k), k.name);
    for (const Kernel &k : m.kernels) {
        if (k.unit != Unit::host) continue;
        const int64_t bytes = boundary_bytes(m, k);
        text += fmt::format("  host node \"{}\" ({}): {}\n    boundary costs {} B, at least {} cycles\n    to move it: {}\n", k.name, operators_of(m, k),
                            k.rule, bytes, transfer_cycles(m, bytes), k.advice);
    }
    const Totals totals(m);
    text += fmt::format("{}: {} nodes, {} kernels on the NPU ({} fused), {} on the host, {} program{}\n", m.graph.name, m.graph.nodes.size(), totals.npu,
                        totals.fused, totals.host, std::count_if(m.segments.begin(), m.segments.end(), [](const Segment &s) { return s.unit == Unit::npu; }),
                        m.on_npu_alone() ? "" : "s");
    text += fmt::format("  arena       {} B, lifetime lower bound {} B ({:.1f} % above)\n", m.arena.bytes, m.arena.lower_bound,
                        m.arena.lower_bound ? 100.0 * static_cast<double>(m.arena.bytes - m.arena.lower_bound) / static_cast<double>(m.arena.lower_bound) : 0.0);
    text += fmt::format("  scratchpad  peak {} of {} B\n", peak_of(m), m.target.spm_bytes);
    size_t next = 0;
    for (const Segment &s : m.segments)
        if (s.unit == Unit::npu && next < timing.size()) text += summary_text(s.program, m.target, timing[next++]);
    return text;
}

std::string to_json(const CompiledModel &m, const std::vector<TimingReport> &timing) {
    nlohmann::ordered_json j{{"model", m.graph.name}, {"target", m.target.name}, {"nodes", m.graph.nodes.size()}};
    for (const Kernel &k : m.kernels) {
        nlohmann::ordered_json row{{"name", k.name}, {"operators", operators_of(m, k)}, {"unit", k.unit == Unit::npu ? "npu" : "host"}};
        if (k.unit == Unit::host) {
            row["rule"] = k.rule;
            row["advice"] = k.advice;
            row["boundary_bytes"] = boundary_bytes(m, k);
            row["boundary_cycles"] = transfer_cycles(m, boundary_bytes(m, k));
        }
        j["kernels"].push_back(row);
    }
    j["arena_bytes"] = m.arena.bytes;
    j["arena_lower_bound"] = m.arena.lower_bound;
    j["scratchpad_peak"] = peak_of(m);
    for (const PassTime &t : m.times) j["compile_ms"][t.pass] = t.milliseconds;
    size_t next = 0;
    for (const Segment &s : m.segments)
        if (s.unit == Unit::npu && next < timing.size()) j["programs"].push_back(nlohmann::ordered_json::parse(summary_json(s.program, m.target, timing[next++])));
    return j.dump(2);
}

}  // namespace emulsion::graph
