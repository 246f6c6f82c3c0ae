#include "apps/explore/problem.h"

#include "runtime/diag/diag.h"
#include "runtime/emulator/emulator.h"
#include "runtime/isa/hash.h"
#include "runtime/program/program_hash.h"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emulsion::explore {
namespace {

std::string hex(const std::string &text) { return fmt::format("{:016x}", hash_bytes(text.data(), text.size())); }

std::string text_of(const CompileRequest &r) {
    std::string text = r.generator;
    for (const auto &[name, value] : r.params) text += fmt::format("\n{}={}", name, value);
    for (const auto &[name, extents] : r.shapes) text += fmt::format("\n{}:{}", name, fmt::join(extents, ","));
    for (const auto &[name, value] : r.scalars) text += fmt::format("\n{}!{}", name, value);
    return text;
}

/// The program without what depends on the order of compilations in this process: names.
std::string anonymous_hash(Program p) {
    p.name.clear();
    p.debug.clear();
    for (BufferEntry &b : p.buffers) b.name.clear();
    return fmt::format("{:016x}", program_hash(p));
}

uint64_t scratchpad_peak(const Program &p) {
    uint64_t peak = 0;
    for (const BufferEntry &b : p.buffers)
        if (b.space == Space::spm) peak = std::max(peak, b.offset + b.bytes * b.slots);
    return peak;
}

bool is_misfit(Diag id) { return id == Diag::buffers_do_not_fit; }

}  // namespace

CompileRequest Problem::at(const Point &point) const {
    CompileRequest r = request;
    for (auto &[name, value] : space.values(point)) r.params[name] = value;
    return r;
}

std::string Problem::title() const {
    std::string text = request.generator;
    for (const auto &[name, value] : request.params)
        if (name == "kernel_x" || name == "stride_x") text += fmt::format(" {}{}", name == "kernel_x" ? "k" : "s", value);
    for (const char *buffer : {"in", "a", "weights", "b", "out"})
        if (const auto it = request.shapes.find(buffer); it != request.shapes.end()) text += fmt::format(" {}", fmt::join(it->second, "x"));
    return text;
}

std::unique_ptr<Problem> make_problem(CompileRequest request, TargetDesc target) {
    const SpaceFactory *factory = find_space(request.generator);
    if (!factory) raise(Diag::space_undeclared, {}, request.generator, fmt::format("{}", fmt::join(generators_with_spaces(), " ")));
    const bool two_operands = request.generator == "matmul" || request.shapes.count("a");
    for (const char *name : {"out", two_operands ? "a" : "in"})
        if (!request.shapes.count(name) && !(name[0] == 'i' && request.shapes.count("b"))) raise(Diag::explore_shape_missing, {.stage = request.generator}, std::string(name));
    auto problem = std::make_unique<Problem>();
    problem->target = std::move(target);
    const SpaceRequest described{request.generator, request.params, request.shapes};
    problem->space = (*factory)(described, problem->target);
    problem->hand = problem->space.nearest(request.params);
    for (const SpaceParameter &p : problem->space.parameters()) request.params.erase(p.name);
    problem->request = std::move(request);
    problem->bound = make_bound_model(described, problem->space, problem->target);
    problem->hash = hex(text_of(problem->request));
    problem->space_hash = hex(problem->space.text());
    problem->machine_hash = fmt::format("{:016x}", problem->target.hash);
    return problem;
}

std::string build_hash() {
    static const std::string hash = [] {
        // The running program's own bytes: any change of compiler, emulator or generators changes them.
        std::string bytes;
        if (std::FILE *f = std::fopen("/proc/self/exe", "rb")) {
            char buffer[1 << 16];
            for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, f)) > 0;) bytes.append(buffer, n);
            std::fclose(f);
        }
        return hex(bytes);
    }();
    return hash;
}

Outcome evaluate(const Problem &problem, const Point &point, uint64_t limit) {
    Outcome o;
    const auto start = std::chrono::steady_clock::now();
    try {
        CompileOptions options;
        options.verify = false;  // a winner is verified when it is replayed or exported
        const Compiled compiled = compile(problem.at(point), problem.target, options);
        TimingOptions timing;
        timing.cycle_limit = limit;
        const TimingReport report = simulate(compiled.program, problem.target, {}, timing);
        o.program = anonymous_hash(compiled.program);
        o.spm_bytes = scratchpad_peak(compiled.program);
        o.cycles = report.cycles;
        if (report.cycles > limit) {
            o.status = Status::cut;
            o.limit = limit;
            o.cycles = limit + 1;
        } else {
            o.status = Status::exact;
            o.energy_pj = report.energy_pj;
            o.ext_bytes = report.ext_read + report.ext_written;
        }
    } catch (const Error &e) {
        o.status = is_misfit(e.diagnostic().id) ? Status::misfit : Status::failed;
        o.error = e.what();
    }
    o.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return o;
}

std::string words_of(const Problem &p) {
    std::string words = p.request.generator;
    for (const auto &[name, value] : p.request.params) words += fmt::format(" {}={}", name, value);
    for (const auto &[name, extents] : p.request.shapes) words += fmt::format(" --shape {}={}", name, fmt::join(extents, ","));
    return words + " --target " + (p.target.origin.empty() ? p.target.name : p.target.origin);
}

std::string replay_command(const Problem &p, const std::string &key) { return fmt::format("emulsion explore replay {} --key \"{}\"", words_of(p), key); }

void check_bound(const Problem &problem, const Point &point, const Bound &bound, const Outcome &outcome) {
    if (outcome.status == Status::misfit || outcome.status == Status::failed) return;
    const bool cycles_hold = bound.cycles <= outcome.cycles;
    const bool energy_holds = outcome.status == Status::cut || bound.energy_pj <= outcome.energy_pj * (1 + 1e-12);
    if (cycles_hold && energy_holds) return;
    raise(Diag::bound_broken, {.stage = problem.request.generator}, problem.space.key(point),
          cycles_hold ? fmt::format("{:.0f} pJ", bound.energy_pj) : fmt::format("{} cycles", bound.cycles),
          cycles_hold ? fmt::format("{:.0f} pJ", outcome.energy_pj) : fmt::format("{} cycles", outcome.cycles), replay_command(problem, problem.space.key(point)));
}

}  // namespace emulsion::explore
