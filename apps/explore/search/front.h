// Fronts: schedules that no other one beats in every objective.
#pragma once
#include "apps/explore/search/search.h"

#include <algorithm>

namespace emulsion::explore {

/// What a front can be about.
struct Measure {
    const char *name, *unit;
    double (*of)(const Outcome &);
    double (*bound)(const Bound &, const TargetDesc &);
};

inline constexpr Measure measures[] = {
    {"cycles", "cycles", [](const Outcome &o) { return static_cast<double>(o.cycles); }, [](const Bound &b, const TargetDesc &) { return static_cast<double>(b.cycles); }},
    {"energy", "pJ", [](const Outcome &o) { return o.energy_pj; }, [](const Bound &b, const TargetDesc &) { return b.energy_pj; }},
    {"ext_bytes", "B", [](const Outcome &o) { return static_cast<double>(o.ext_bytes); }, [](const Bound &b, const TargetDesc &t) {
         return static_cast<double>(b.ext_bytes / std::max<uint32_t>(1, t.ext.burst_bytes));  // trials count bytes of elements, bounds whole bursts: a burst holds one byte at least
     }},
    {"scratchpad", "B", [](const Outcome &o) { return static_cast<double>(o.spm_bytes); }, [](const Bound &b, const TargetDesc &) { return static_cast<double>(b.spm_bytes); }},
};

/// Positions of the rows that no other row is at least as good as in every column and better in one. Of equal rows the first.
/// Ordered by column 0, then the others.
std::vector<size_t> front_of(const std::vector<std::vector<double>> &rows);

struct FrontReport {
    State state = State::none_legal;
    std::vector<std::pair<Point, Outcome>> timed;  ///< exact ones, in the order of timing
    uint64_t nodes = 0, pruned = 0, misfit = 0, emulated = 0, hits = 0;
    double gap = 0;  ///< every schedule that was not timed is covered by the front with all its values divided by 1 + gap
};

/// Branch and bound for the whole front: a node is dropped when a schedule found is no worse than its bounds in every measure.
/// Stops as the options' budget, gap say; limits count. `database` may be null. Raises EM802.
FrontReport search_front(const Problem &problem, const std::vector<const Measure *> &by, const SearchOptions &options, Database *database);

}  // namespace emulsion::explore
