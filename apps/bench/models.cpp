#include "apps/bench/models.h"

#include "apps/emulsion/model_options.h"
#include "graph/model/load_graph.h"
#include "graph/model/run_model.h"
#include "runtime/device/report.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>

namespace emulsion::bench {
namespace {

/// The model files among `paths`, folders opened (not their subfolders), in alphabetical order.
std::vector<std::string> model_files(const std::vector<std::string> &paths) {
    std::vector<std::string> files;
    for (const std::string &path : paths) {
        if (!std::filesystem::is_directory(path)) {
            files.push_back(path);
            continue;
        }
        const size_t first = files.size();
        for (const auto &entry : std::filesystem::directory_iterator(path))
            if (graph::is_model_name(entry.path().string())) files.push_back(entry.path().string());
        std::sort(files.begin() + static_cast<ptrdiff_t>(first), files.end());
    }
    return files;
}

struct Setting {
    const char *name;
    bool fuse, prefetch;
};
constexpr Setting settings[] = {{"apart", false, false}, {"prefetched", false, true}, {"fused", true, true}};

struct Totals {
    uint64_t cycles = 0, bytes = 0, mac_cycles = 0, scratchpad = 0;
    double energy_pj = 0;
    explicit Totals(const graph::CompiledModel &m) {
        const std::vector<TimingReport> timing = graph::time_model(m);
        size_t next = 0;
        for (const graph::Segment &s : m.segments) {
            if (s.unit != graph::Unit::npu) continue;
            const TimingReport &t = timing.at(next++);
            cycles += t.cycles, bytes += t.ext_read + t.ext_written, mac_cycles += t.mac_cycles, energy_pj += t.energy_pj;
            scratchpad = std::max(scratchpad, scratchpad_peak(s.program));
        }
    }
};

void measure(const std::string &path, const TargetDesc &target, const Setting &setting, int repeats) {
    graph::CompiledModel m;
    double best = 1e30;
    for (int r = 0; r < repeats; r++) {
        const auto start = std::chrono::steady_clock::now();
        m = graph::compile_model(command::read_model(path), target, {.fuse = setting.fuse, .prefetch = setting.prefetch, .symbols = {}, .without_passes = {}, .observe = {}});
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const Totals t(m);
    const auto count = [&](auto where) { return std::count_if(m.kernels.begin(), m.kernels.end(), where); };
    fmt::print("{},{},{},{},{},{},{},{},{:.1f},{:.1f},{},{},{},{:.2f}\n", std::filesystem::path(path).stem().string(), target.name, setting.name, m.segments.size(),
               count([](const graph::Kernel &k) { return k.unit == graph::Unit::npu; }), count([](const graph::Kernel &k) { return k.unit == graph::Unit::host; }), t.cycles, t.bytes,
               t.energy_pj / 1e6, t.cycles ? 100.0 * static_cast<double>(t.mac_cycles) / static_cast<double>(t.cycles) : 0.0, m.arena.bytes, m.arena.lower_bound, t.scratchpad, best);
    fflush(stdout);
}

}  // namespace

int bench_models(const ModelWords &words) {
    const TargetDesc target = load_target(words.target);
    fmt::print("model,target,setting,segments,npu_kernels,host_kernels,cycles,ext_bytes,energy_uJ,mac_percent,arena_bytes,arena_lower_bound,scratchpad_peak,compile_s\n");
    int failed = 0;
    for (const std::string &path : model_files(words.paths)) try {
            for (const Setting &s : settings) measure(path, target, s, words.repeats);
        } catch (const Error &e) {
            fmt::print(stderr, "{}: {}\n", path, e.what());
            failed = 1;
        }
    return failed;
}

}  // namespace emulsion::bench
