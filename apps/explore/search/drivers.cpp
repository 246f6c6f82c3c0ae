// Drivers for huge spaces: they find incumbents and prove nothing.
#include "apps/explore/search/sampling.h"
#include "apps/explore/search/session.h"

#include <algorithm>
#include <cmath>

namespace emulsion::explore {
namespace {

constexpr int dry_rounds = 50;  ///< rounds without a new point: the space is used up

/// Runs rounds of points that `propose` makes until a budget ends. `propose` sees the session's results so far.
template<typename Propose>
SearchReport rounds(Session &s, Propose propose) {
    const double bound = root_bound(s);
    std::vector<Point> first;
    if (!s.problem.hand.empty() && s.options.driver != Driver::random) first.push_back(s.problem.hand);
    if (!s.time(first)) return s.finish(State::interrupted, bound);
    for (int dry = 0; dry < dry_rounds;) {
        s.note(bound, 0, false);
        if (s.has_best() && bound >= s.best() * (1 - s.options.gap)) return s.finish(State::gap_reached, bound);
        if (s.stopped()) return s.finish(State::interrupted, bound);
        if (s.out_of_budget()) return s.finish(State::budget_ended, bound);
        const uint64_t left = s.options.emulations - s.report.emulated - s.report.hits;
        std::vector<Point> points;
        for (int k = 0; k < s.options.round * 4 && points.size() < std::min<uint64_t>(left, static_cast<uint64_t>(s.options.round)); k++)
            if (auto p = propose(); p && !s.was_timed(*p) && std::find(points.begin(), points.end(), *p) == points.end()) points.push_back(*p);
        dry = points.empty() ? dry + 1 : 0;
        if (!s.time(points)) return s.finish(State::interrupted, bound);
    }
    return s.finish(s.has_best() ? State::budget_ended : State::none_legal, bound);
}

double fitness(const Session &s, const Outcome &o) {
    return o.status == Status::exact && !s.options.limits.broken_by(o) ? score(s.options.objective, o) : 1e300;
}

}  // namespace

SearchReport random_search(Session &s) {
    Sampler sampler(s.problem.space, s.options.seed);
    return rounds(s, [&] { return sampler.point(); });
}

SearchReport evolution(Session &s) {
    constexpr size_t population = 32, tournament = 4;
    Sampler sampler(s.problem.space, s.options.seed);
    return rounds(s, [&]() -> std::optional<Point> {
        const auto &timed = s.report.timed;
        if (timed.size() < population) return sampler.point();
        // Parents: the best of a few of the last generations; the incumbent always takes part.
        const auto pick = [&] {
            const Point *best = &s.report.best;
            double value = s.has_best() && sampler.below(3) == 0 ? s.report.best_score : 1e301;
            for (size_t k = 0; k < tournament; k++) {
                const auto &[p, o] = timed[timed.size() - 1 - sampler.below(std::min(timed.size(), 4 * population))];
                if (const double f = fitness(s, o); f < value) value = f, best = &p;
            }
            return *best;
        };
        const Point a = pick(), b = pick();
        if (a.empty() || b.empty()) return sampler.point();
        return sampler.child(a, b);
    });
}

SearchReport annealing(Session &s) {
    constexpr double first_temperature = 0.3, cooling = 0.97;
    Sampler sampler(s.problem.space, s.options.seed);
    Point at;
    double value = 1e300, temperature = first_temperature;
    size_t seen = 0;
    return rounds(s, [&]() -> std::optional<Point> {
        // Everything timed since the last proposal is accepted or refused in order.
        for (; seen < s.report.timed.size(); seen++) {
            const auto &[p, o] = s.report.timed[seen];
            const double f = fitness(s, o);
            if (f < value || (f < 1e299 && sampler.unit() < std::exp((std::log(value) - std::log(f)) / temperature))) at = p, value = f;
            temperature = std::max(0.01, temperature * cooling);
        }
        return at.empty() ? sampler.point() : sampler.neighbour(at);
    });
}

}  // namespace emulsion::explore
