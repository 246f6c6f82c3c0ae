#include "apps/explore/search/session.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace emulsion::explore {

namespace {

template<typename E, size_t n>
E named(const char *const (&names)[n], const std::string &name, E otherwise) {
    for (size_t k = 0; k < n; k++)
        if (name == names[k]) return static_cast<E>(k);
    return otherwise;
}

}  // namespace

double score(Objective objective, uint64_t cycles, double energy_pj, uint64_t spm_bytes) {
    switch (objective) {
    case Objective::cycles: return static_cast<double>(cycles);
    case Objective::energy: return energy_pj;
    case Objective::edp: return energy_pj * static_cast<double>(cycles);
    case Objective::spm: return static_cast<double>(spm_bytes);
    }
    return 0;
}

std::string SearchOptions::text() const {
    const nlohmann::ordered_json j = {
        {"driver", driver_names[static_cast<int>(driver)]}, {"objective", objective_names[static_cast<int>(objective)]},
        {"limit_spm", limits.spm_bytes}, {"limit_cycles", limits.cycles}, {"limit_energy", limits.energy_pj},
        {"seed", seed}, {"round", round}, {"gap", gap}, {"emulations", emulations}, {"seconds", seconds}, {"model", model}, {"warm_start", warm_start}};
    return j.dump();
}

SearchOptions SearchOptions::from_text(const std::string &json) {
    const auto j = nlohmann::json::parse(json);
    SearchOptions o;
    o.driver = named(driver_names, j.value("driver", ""), Driver::certified);
    o.objective = named(objective_names, j.value("objective", ""), Objective::cycles);
    o.limits = {j.value("limit_spm", uint64_t{0}), j.value("limit_cycles", uint64_t{0}), j.value("limit_energy", 0.0)};
    o.seed = j.value("seed", uint64_t{1});
    o.round = j.value("round", 8);
    o.gap = j.value("gap", 0.0);
    o.emulations = j.value("emulations", UINT64_MAX);
    o.seconds = j.value("seconds", 1e18);
    o.model = j.value("model", true);
    o.warm_start = j.value("warm_start", std::vector<std::string>{});
    return o;
}

Timer in_process_timer(const Problem &problem, int jobs, const std::atomic<bool> *stop) {
    return [&problem, jobs, stop](const std::vector<Point> &points, uint64_t limit) {
        std::vector<Outcome> outcomes(points.size());
        const auto one = [&](size_t k) {
            if (stop && *stop) outcomes[k].error = stopped_text;
            else outcomes[k] = evaluate(problem, points[k], limit);
        };
        if (jobs <= 1) {
            for (size_t k = 0; k < points.size(); k++) one(k);
            return outcomes;
        }
        oneapi::tbb::task_arena arena(jobs);
        arena.execute([&] { oneapi::tbb::parallel_for(size_t{0}, points.size(), one); });
        return outcomes;
    };
}

Session::Session(const Problem &p, const SearchOptions &o, Database *database, const SearchHooks &h)
    : problem(p), options(o), hooks(h), database_(database), timer_(h.timer ? h.timer : in_process_timer(p, o.jobs, h.stop)) {}

double Session::seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

bool Session::out_of_budget() const { return report.emulated + report.hits >= options.emulations || seconds() >= options.seconds; }

uint64_t Session::cut_off() const {
    return options.driver == Driver::certified && options.objective == Objective::cycles && has_best() && !options.limits.energy_pj ? report.outcome.cycles : UINT64_MAX;
}

bool Session::time(std::vector<Point> points) {
    const uint64_t limit = cut_off();
    points.erase(std::remove_if(points.begin(), points.end(), [&](const Point &p) { return was_timed(p); }), points.end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::vector<Outcome> outcomes(points.size());
    std::vector<Point> missing;
    std::vector<size_t> place;
    for (size_t k = 0; k < points.size(); k++) {
        if (database_)
            if (auto known = database_->find(problem, problem.space.key(points[k]), limit)) {
                // A row may say more than this round asks: decisions must not depend on that.
                if (known->status == Status::exact && known->cycles > limit) {
                    known->status = Status::cut, known->limit = limit, known->cycles = limit + 1;
                    known->energy_pj = 0, known->ext_bytes = 0;
                }
                outcomes[k] = *known;
                report.hits++;
                continue;
            }
        missing.push_back(points[k]);
        place.push_back(k);
    }
    const std::vector<Outcome> fresh = timer_(missing, limit);
    bool stopped_inside = false;
    for (size_t k = 0; k < missing.size(); k++) {
        outcomes[place[k]] = fresh[k];
        if (fresh[k].status == Status::failed && fresh[k].error == stopped_text) {
            stopped_inside = true;
            continue;
        }
        report.emulated++;
        if (database_) database_->insert(problem, problem.space.key(missing[k]), fresh[k]);
    }
    if (stopped_inside) return false;
    for (size_t k = 0; k < points.size(); k++) {
        const Bound bound = problem.bound->complete(points[k]);
        check_bound(problem, points[k], bound, outcomes[k]);
        merge(points[k], outcomes[k], bound);
    }
    return true;
}

void Session::merge(const Point &point, const Outcome &o, const Bound &bound) {
    timed_.insert(point);
    report.timed.emplace_back(point, o);
    if (o.status == Status::failed || o.status == Status::misfit) report.failed++;
    if (o.status == Status::exact && options.model)
        rank.add(features(problem, point, bound), std::log(static_cast<double>(o.cycles) / static_cast<double>(std::max<uint64_t>(1, bound.cycles))));
    if (o.status != Status::exact || options.limits.broken_by(o)) return;
    const double s = score(options.objective, o);
    if (has_best() && s >= report.best_score) return;
    report.best = point;
    report.outcome = o;
    report.best_score = s;
}

void Session::note(double smallest_open, uint64_t open, bool always) {
    const double best_now = has_best() ? report.best_score : 0;
    const Progress p{report.emulated, report.hits, open, seconds(), best_now, std::min(smallest_open, best_now > 0 ? best_now : smallest_open)};
    if (always || best_now != noted_best_) report.history.push_back(p);
    noted_best_ = best_now;
    if (hooks.progress) hooks.progress(p);
}

SearchReport Session::finish(State state, double smallest_open) {
    report.state = state;
    report.smallest_open = has_best() ? std::min(smallest_open, report.best_score) : smallest_open;
    report.seconds = seconds();
    note(report.smallest_open, 0, true);
    if (rank.trained()) {
        const std::string bytes = rank.bytes();
        uint64_t h = 1469598103934665603ull;
        for (unsigned char c : bytes) h = (h ^ c) * 1099511628211ull;
        report.model_hash = fmt::format("{:016x}", h);
        if (database_) database_->store_model(report.model_hash, bytes);
    }
    return std::move(report);
}

double root_bound(const Session &session) { return session.score_of(session.problem.bound->partial({})); }

namespace {

/// The smallest set of limits that no schedule keeps: subsets by size, each searched until something fits.
std::string conflict_of(const Problem &problem, const SearchOptions &options, Database *database, const SearchHooks &hooks) {
    struct Part {
        const char *name;
        void (*keep)(Limits &to, const Limits &from);
        bool set;
    };
    const Limits &l = options.limits;
    const Part parts[] = {{"spm", [](Limits &t, const Limits &f) { t.spm_bytes = f.spm_bytes; }, l.spm_bytes > 0},
                          {"cycles", [](Limits &t, const Limits &f) { t.cycles = f.cycles; }, l.cycles > 0},
                          {"energy", [](Limits &t, const Limits &f) { t.energy_pj = f.energy_pj; }, l.energy_pj > 0}};
    for (int size = 1; size <= 3; size++)
        for (int set = 1; set < 8; set++) {
            if (__builtin_popcount(static_cast<unsigned>(set)) != size) continue;
            SearchOptions some = options;
            some.limits = {};
            some.gap = 1;  // any legal schedule will do
            std::string names;
            bool all_set = true;
            for (int k = 0; k < 3; k++) {
                if (!(set >> k & 1)) continue;
                all_set = all_set && parts[k].set;
                parts[k].keep(some.limits, l);
                names += std::string(names.empty() ? "" : " ") + parts[k].name;
            }
            if (!all_set) continue;
            Session session(problem, some, database, hooks);
            if (certified(session).state == State::none_legal) return names;
        }
    return "";
}

}  // namespace

SearchReport search(const Problem &problem, const SearchOptions &options, Database *database, const SearchHooks &hooks) {
    constexpr SearchReport (*drivers[])(Session &) = {certified, random_search, evolution, annealing};
    Session session(problem, options, database, hooks);
    SearchReport report = drivers[static_cast<int>(options.driver)](session);
    const Limits &l = options.limits;
    if (report.state == State::none_legal && (l.spm_bytes || l.cycles || l.energy_pj)) report.conflict = conflict_of(problem, options, database, hooks);
    return report;
}

}  // namespace emulsion::explore
