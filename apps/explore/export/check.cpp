// Is what a schedule file says so?
#include "apps/explore/export/schedule_file.h"
#include "runtime/diag/diag.h"

#include <cmath>
#include <fmt/format.h>

namespace emulsion::explore {
namespace {

[[noreturn]] void refuse(const std::string &why) { raise(Diag::certificate_refused, {}, why); }

template<typename T>
void hold(const char *what, const T &stated, const T &found) {
    if (stated != found) refuse(fmt::format("{}: the file says {}, it is {}", what, stated, found));
}

[[noreturn]] void stale(const std::string &what, const std::string &made_for, const std::string &now) { raise(Diag::schedule_stale, {}, what, made_for, now); }

/// What depends on the program: another build may make another one without anybody having altered the file.
void check_outcome(const ScheduleFile &f, const Outcome &now) {
    const Outcome &said = f.outcome;
    if (now.status == Status::exact && now == said) return;
    if (f.build != build_hash())
        stale("build", fmt::format("{} ({} cycles)", f.build, said.cycles),
              fmt::format("{} ({})", build_hash(), now.status == Status::exact ? fmt::format("{} cycles", now.cycles) : std::string("it does not compile")));
    if (now.status != Status::exact) refuse("the schedule does not compile: " + now.error);
    hold("cycles", said.cycles, now.cycles);
    hold("energy_pj", said.energy_pj, now.energy_pj);
    hold("spm_bytes", said.spm_bytes, now.spm_bytes);
    hold("ext_bytes", said.ext_bytes, now.ext_bytes);
    hold("program", said.program, now.program);
}

void check_figures(const ScheduleFile &f, const Problem &p, const Point &point) {
    const Bound b = p.bound->complete(point);
    hold("bound.cycles", f.bound.cycles, b.cycles);
    hold("bound.energy_pj", f.bound.energy_pj, b.energy_pj);
    hold("bound.spm_bytes", f.bound.spm_bytes, b.spm_bytes);
    hold("bound.ext_bytes", f.bound.ext_bytes, b.ext_bytes);
    check_bound(p, point, b, f.outcome);
    const double best = score(f.objective, f.outcome);
    if (f.smallest_open > best) refuse(fmt::format("nothing is said to be below {}, and the schedule itself takes {}", f.smallest_open, best));
    hold("search_gap", f.search_gap, search_gap(best, f.smallest_open));
    hold("roofline_cycles", f.roofline_cycles, p.bound->roofline().cycles());
    hold("roofline_gap", f.roofline_gap, static_cast<double>(f.outcome.cycles) / static_cast<double>(f.roofline_cycles) - 1);
    if (f.state == State::none_legal) refuse("the search is said to have found nothing");
    if (f.state == State::proved && f.search_gap > 0) refuse(fmt::format("it is called proved with a gap of {}", f.search_gap));
    if (f.limits.broken_by(f.outcome)) refuse("the schedule breaks the limits that it was searched under");
}

}  // namespace

std::unique_ptr<Problem> problem_of(const ScheduleFile &f, TargetDesc target) {
    const std::string machine = fmt::format("{:016x}", target.hash);
    if (machine != f.target_hash) stale("machine", fmt::format("{} {}", f.target_name, f.target_hash), fmt::format("{} {}", target.name, machine));
    auto p = make_problem(f.request, std::move(target));
    if (p->space_hash != f.space_hash)
        stale("space", fmt::format("{} {} {}", f.space_name, f.space_version, f.space_hash), fmt::format("{} {} {}", p->space.name(), p->space.version(), p->space_hash));
    return p;
}

ProofCheck check(const ScheduleFile &f, const Problem &p, bool proof) {
    hold("problem", f.problem_hash, p.hash);
    hold("target.name", f.target_name, p.target.name);
    if (nlohmann::json::parse(f.target_text) != nlohmann::json::parse(p.target.text)) refuse("target.machine is not the machine of its hash");
    hold("space.name", f.space_name, p.space.name());
    hold("space.version", f.space_version, p.space.version());
    const Point point = p.space.point(f.key);
    if (point.empty() || !p.space.legal(point)) refuse(fmt::format("\"{}\" is no schedule of the space", f.key));
    if (f.schedule != p.space.values(point)) refuse("schedule.params are not those of its key");
    check_outcome(f, evaluate(p, point));
    check_figures(f, p, point);
    ProofCheck c;
    if (proof) c = check_proof(p, f.objective, f.limits, f.smallest_open);
    if (!c.below.empty()) refuse(fmt::format("nothing was to be below {}, and \"{}\" takes {}", f.smallest_open, p.space.key(c.below), c.score));
    if (!f.sealed) refuse("its text was changed");
    return c;
}

}  // namespace emulsion::explore
