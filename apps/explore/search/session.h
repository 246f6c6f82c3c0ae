// What all drivers share: timing of rounds with database, workers, limits and the bound's assertion; the incumbent; progress.
#pragma once
#include "apps/explore/search/search.h"

#include <chrono>
#include <set>

namespace emulsion::explore {

class Session {
public:
    Session(const Problem &problem, const SearchOptions &options, Database *database, const SearchHooks &hooks);

    /// Times the points (database before emulator), asserts their bounds, updates the incumbent. Points already timed in this
    /// search are left out. False: the search was stopped.
    bool time(std::vector<Point> points);
    /// Cycles past which a schedule cannot win.
    uint64_t cut_off() const;
    double score_of(const Bound &b) const { return score(options.objective, b); }
    bool has_best() const { return !report.best.empty(); }
    double best() const { return has_best() ? report.best_score : 1e300; }
    bool out_of_budget() const;
    bool stopped() const { return hooks.stop && *hooks.stop; }
    bool was_timed(const Point &p) const { return timed_.count(p) > 0; }
    void note(double smallest_open, uint64_t open, bool always);
    double seconds() const;
    SearchReport finish(State state, double smallest_open);

    const Problem &problem;
    const SearchOptions &options;
    const SearchHooks &hooks;
    SearchReport report;
    Rank rank;

private:
    void merge(const Point &point, const Outcome &outcome, const Bound &bound);

    Database *database_;
    Timer timer_;
    std::set<Point> timed_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double noted_best_ = 0;
};

SearchReport certified(Session &session);
SearchReport random_search(Session &session);
SearchReport evolution(Session &session);
SearchReport annealing(Session &session);

/// The bound of the whole space.
double root_bound(const Session &session);

}  // namespace emulsion::explore
