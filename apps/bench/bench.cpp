// emulsion bench: cycles of known kernels against their bounds, and the time it took to compile and to time them; whole models.
#include "apps/bench/kernels.h"
#include "apps/bench/models.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/verb.h"
#include "apps/explore/verbs/bench.h"
#include "dsl/halide.h"
#include "runtime/diag/diag.h"
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/timing_bound.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace emulsion::bench {
namespace {

double milliseconds(const std::function<void()> &f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Bytes of every argument once, at the EXT bandwidth.
uint64_t memory_cycles(const Kernel &k, const Program &p, const TargetDesc &t) {
    uint64_t bytes = 0;
    for (const Region &r : p.regions) {
        const auto shape = k.request.shapes.find(r.name);
        if (shape == k.request.shapes.end()) continue;
        uint64_t elements = 1;
        for (int e : shape->second) elements *= static_cast<uint64_t>(e);
        bytes += elements * info(r.type).bytes;
    }
    return bytes * 10 / t.ext.bytes_per_cycle_x10;
}

uint64_t bound_of(const Kernel &k, const Program &p, const TargetDesc &t, const TimingReport &timing) {
    if (k.bound == Bound::mac) return timing.mac_cycles;
    const uint64_t vector = bound_by_resource(p, t, {}).queue[static_cast<int>(Queue::VX)];
    return std::max({timing.mac_cycles, vector, memory_cycles(k, p, t)});
}

// The best of a few: the machine is shared, and the least disturbed time is the program's own.
void measure(Kernel k, const std::vector<std::string> &params, int repeats) {
    for (const std::string &p : params) k.request.params[p.substr(0, p.find('='))] = p.substr(p.find('=') + 1);
    const TargetDesc target = load_target(k.target);
    Compiled compiled;
    TimingReport timing;
    double compile_ms = 1e30, simulate_ms = 1e30;
    for (int r = 0; r < repeats; r++) {
        compile_ms = std::min(compile_ms, milliseconds([&] { compiled = compile(k.request, target); }));
        simulate_ms = std::min(simulate_ms, milliseconds([&] { timing = simulate(compiled.program, target, {}); }));
    }
    const uint64_t bound = bound_of(k, compiled.program, target, timing);
    const double ratio = static_cast<double>(bound) / static_cast<double>(timing.cycles);
    fmt::print("{},{},{},{},{},{:.3f},{:.2f},{},{:.1f},{:.1f}\n", k.name, k.target, k.bound == Bound::mac ? "mac" : "roofline", timing.cycles, bound,
               ratio, k.goal, ratio >= k.goal ? "yes" : "no", compile_ms, simulate_ms);
}

int bench_kernels(const std::string &only, const std::string &target, const std::vector<std::string> &params, int repeats) {
    fmt::print("kernel,target,bound,cycles,bound_cycles,ratio,goal,met,compile_ms,simulate_ms\n");
    for (const Kernel &k : kernels()) {
        if (k.name.find(only) == std::string::npos || k.target.find(target) == std::string::npos) continue;
        try {
            measure(k, params, repeats);
        } catch (const Error &e) {
            fmt::print(stderr, "{} on {}: {}\n", k.name, k.target, e.what());
            return 1;
        }
    }
    return 0;
}

/// One directive more or less: the same schedule with one slot and with two for every staged operand and output tile.
int bench_double_buffer() {
    fmt::print("kernel,target,single_cycles,double_cycles,speedup\n");
    for (Kernel k : double_buffer_kernels()) {
        const TargetDesc target = load_target(k.target);
        auto cycles = [&](const char *depth) {
            k.request.params["depth"] = depth;
            return simulate(compile(k.request, target).program, target, {}).cycles;
        };
        const uint64_t one = cycles("1"), two = cycles("2");
        fmt::print("{},{},{},{},{:.2f}\n", k.name, k.target, one, two, static_cast<double>(one) / static_cast<double>(two));
    }
    return 0;
}

const command::RegisterVerb verb{
    {"bench", "Cycles of known kernels against their bounds, and of whole models, as CSV.", {"emulsion bench kernels", "emulsion bench kernels --only matmul", "emulsion bench double_buffer", "emulsion bench models apps/classify"}, [](CLI::App &app) {
         auto only = std::make_shared<std::string>();
         auto target = std::make_shared<std::string>();
         auto params = std::make_shared<std::vector<std::string>>();
         auto repeats = std::make_shared<int>(5);
         CLI::App *sub = app.add_subcommand("kernels", "matrix products, convolutions, image filters");
         sub->add_option("--only", *only, "kernels whose name holds this text");
         sub->add_option("--target", *target, "machines whose name holds this text");
         sub->add_option("--param", *params, "generator parameter name=value, instead of the kernel's own")->check(CLI::Validator([](std::string &p) {
             return p.find('=') == std::string::npos ? "name=value" : std::string();
         }, "NAME=VALUE"));
         sub->add_option("--repeats", *repeats, "compilations of each kernel; the least time counts")->check(CLI::PositiveNumber);
         CLI::App *rings = app.add_subcommand("double_buffer", "memory-bound kernels with one slot and with two");
         CLI::App *searches = app.add_subcommand("explore", "schedule searches over the layers of networks");
         const std::function<int()> explore_action = explore::bench_explore(*searches);
         auto models = std::make_shared<ModelWords>();
         CLI::App *networks = app.add_subcommand("models", "whole models: cycles, external bytes, energy, arena, compile time; with fused groups and without");
         networks->add_option("models", models->paths, "model files, or folders of them")->required()->check(CLI::ExistingPath);
         command::add_target_option(*networks, models->target);
         networks->add_option("--repeats", models->repeats, "compilations of each model; the least time counts")->check(CLI::PositiveNumber)->capture_default_str();
         app.require_subcommand(1);
         return [=] {
             if (networks->parsed()) return bench_models(*models);
             return searches->parsed() ? explore_action() : rings->parsed() ? bench_double_buffer() : bench_kernels(*only, *target, *params, *repeats);
         };
     }}};

}  // namespace
}  // namespace emulsion::bench
