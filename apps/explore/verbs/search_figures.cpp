// Figures of searches: best so far, drivers, front, roofline.
#include "apps/explore/verbs/figures.h"
#include "apps/explore/verbs/front_rows.h"
#include "apps/explore/verbs/replayed.h"

#include <fmt/format.h>
#include <set>

namespace emulsion::explore {

using plot::At;
using plot::Figure;
using plot::Mark;
using plot::Series;

namespace {

std::string heading(const Problem &p, const std::string &what) { return fmt::format("{} on {}: {}", p.title(), p.target.name, what); }

std::vector<At> best_so_far(const SearchReport &r, const SearchOptions &o, double unit) {
    std::vector<At> at;
    double best = 1e300, n = 0;
    for (const auto &[point, outcome] : r.timed) {
        n++;
        if (outcome.status != Status::exact || o.limits.broken_by(outcome)) continue;
        const double s = score(o.objective, outcome);
        if (s < best) best = s, at.push_back({n, s / unit});
    }
    if (!at.empty()) at.push_back({n, best / unit});
    return at;
}

Series level(const std::string &name, double from, double to, double y) { return {name, Mark::dashes, {{from, y}, {to, y}}, -1}; }

}  // namespace

Figure best_figure(const FigureWords &w) {
    const auto p = w.trials.problem();
    const SearchOptions o = w.trials.options();
    Series trials{"trials", Mark::points, {}, -1}, bound{"nothing below", Mark::steps, {}, -1};
    SearchHooks hooks;
    hooks.progress = [&](const Progress &h) { bound.at.push_back({std::max(1.0, static_cast<double>(h.emulated + h.hits)), h.smallest_open}); };
    const SearchReport r = w.trials.search_again(*p, o, hooks);
    const auto last = static_cast<double>(std::max<size_t>(2, r.timed.size()));
    for (size_t k = 0; k < r.timed.size(); k++) {
        const Outcome &t = r.timed[k].second;
        if (t.status == Status::exact) trials.at.push_back({static_cast<double>(k + 1), score(o.objective, t)});
    }
    Figure f{heading(*p, fmt::format("{}, search gap {:.2f} %", state_names[static_cast<int>(r.state)], 100 * r.search_gap())), {"trials", false, {}},
             {objective_names[static_cast<int>(o.objective)], false, {}}, {}, {}};
    f.series = {{"best so far", Mark::steps, best_so_far(r, o, 1), -1}, bound, trials};
    if (o.objective == Objective::cycles) f.series.push_back(level("roofline", 1, last, static_cast<double>(p->bound->roofline().cycles())));
    return f;
}

Figure drivers_figure(const FigureWords &w) {
    constexpr double near = 1.05;
    constexpr uint64_t seeds = 3, most = 400;
    const auto p = w.trials.problem();
    SearchOptions o = w.trials.options();
    o.driver = Driver::certified;
    const SearchReport certified = w.trials.search_again(*p, o);
    if (certified.best.empty()) throw Error(no_legal_schedule(*p));
    Figure f{heading(*p, "trials until near the best"), {"trials", true, {}}, {"best so far / best known", true, {}}, {}, {}};
    double last = 2;
    const auto add = [&](Driver driver, uint64_t seed, const SearchReport &r) {
        std::vector<At> at = best_so_far(r, o, certified.best_score);
        const auto there = std::find_if(at.begin(), at.end(), [&](const At &a) { return a.y <= near; });
        const std::string name = fmt::format("{}{}: {}", driver_names[static_cast<int>(driver)], driver == Driver::certified ? "" : fmt::format(" {}", seed),
                                             there == at.end() ? "not within 5 %" : fmt::format("{:.0f} trials", there->x));
        if (!at.empty()) last = std::max(last, at.back().x);
        f.series.push_back({name, Mark::steps, std::move(at), static_cast<int>(driver)});
    };
    add(Driver::certified, 0, certified);
    for (Driver driver : {Driver::random, Driver::evolution, Driver::annealing})
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            SearchOptions other = o;
            other.driver = driver, other.seed = seed, other.emulations = most, other.gap = std::max(0.0, 1 - certified.smallest_open / (near * certified.best_score));
            add(driver, seed, explore::search(*p, other, nullptr));
        }
    f.series.push_back(level("5 % from the best", 1, last, near));
    return f;
}

Figure pareto_figure(const FigureWords &w) {
    const auto by = measures_of(w.objectives);
    const FrontTrials t = front_trials(w.trials, by, false);
    const auto at = [&](const Trial &trial) { return At{by[0]->of(trial.outcome), by[1]->of(trial.outcome)}; };
    const auto axis = [](const Measure *m) { return plot::Axis{heading(*m), true, {}}; };
    Figure f{heading(*t.trials.problem, fmt::format("{} of {} trials in the front", t.front.size(), t.trials.rows.size())), axis(by[0]), axis(by[1]), {}, {}};
    Series beaten{"beaten", Mark::points, {}, 5}, front{"front", Mark::points, {}, 1}, border{"", Mark::steps, {}, 1};
    std::set<std::string> keys;
    for (const Trial &trial : t.front) {
        keys.insert(trial.key);
        front.at.push_back(at(trial));
    }
    for (const Trial &trial : t.trials.rows)
        if (!keys.count(trial.key)) beaten.at.push_back(at(trial));
    if (by.size() == 2) border.at = front.at;
    f.series = {beaten, border, front};
    return f;
}

Figure roofline_figure(const FigureWords &w) {
    const Trials t = w.trials.trials();
    const Problem &p = *t.problem;
    const ScheduleFile &chosen = t.require_best();
    const TimingReport timing = timed(p, point_of(p, chosen.key));
    if (timing.macs == 0) raise(Diag::command_line, {}, fmt::format("--kind roofline: \"{}\" does no multiply-accumulates", p.request.generator));
    const auto macs = static_cast<double>(timing.macs);
    const double peak = macs / static_cast<double>(timing.mac_cycles), bandwidth = p.target.ext.bytes_per_cycle_x10 / 10.0;
    Series trials{"trials", Mark::points, {}, 5}, roof{"peak and bandwidth", Mark::line, {}, 0};
    double low = peak / bandwidth, high = low;
    for (const Trial &r : t.rows) {
        const double intensity = macs / static_cast<double>(std::max<uint64_t>(1, r.outcome.ext_bytes));
        trials.at.push_back({intensity, macs / static_cast<double>(r.outcome.cycles)});
        low = std::min(low, intensity), high = std::max(high, intensity);
    }
    const At best{macs / static_cast<double>(std::max<uint64_t>(1, chosen.outcome.ext_bytes)), macs / static_cast<double>(chosen.outcome.cycles)};
    roof.at = {{low / 2, bandwidth * low / 2}, {peak / bandwidth, peak}, {high * 2, peak}};
    return {heading(p, fmt::format("{:.1f} of {:.0f} MAC/cycle", best.y, peak)), {"MAC / byte of external memory", true, {}}, {"MAC / cycle", true, {}},
            {roof, trials, {"best", Mark::points, {best}, 1}}, {}};
}

}  // namespace emulsion::explore
