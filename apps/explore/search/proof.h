// The second judge of a search: looks at the whole space again, depth first, with nothing of the search's own order, rounds or
// model. It needs the claimed limit alone: every subtree must be bounded by it, or be looked into, down to emulated schedules.
#pragma once
#include "apps/explore/search/search.h"

namespace emulsion::explore {

struct ProofCheck {
    uint64_t nodes = 0, misfit = 0, pruned = 0, timed = 0;
    Point below;        ///< empty: the claim holds; else a schedule that costs less than was claimed possible
    double score = 0;   ///< of `below`
};

/// Is no schedule within `limits` below `smallest_open`, by `objective`? Raises EM802 when a bound is broken.
ProofCheck check_proof(const Problem &problem, Objective objective, const Limits &limits, double smallest_open);

}  // namespace emulsion::explore
