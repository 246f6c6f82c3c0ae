#include "apps/explore/search/search.h"
#include "tests/apps/explore/cases.h"

#include <gtest/gtest.h>
#include <set>

namespace emulsion::explore {
namespace {

uint64_t best_of(const std::vector<std::pair<Point, Outcome>> &all) {
    uint64_t best = UINT64_MAX;
    for (const auto &[point, o] : all)
        if (o.status == Status::exact) best = std::min(best, o.cycles);
    return best;
}

// Would catch a pruned winner: by the bound, by the capacity rule, or by the search itself.
TEST(Search, OptimumEqualsBruteForce) {
    std::set<std::string> generators;
    int spaces = 0;
    for (const Case &c : small_cases()) {
        const auto p = problem_of(c);
        const auto all = brute_force(*p);
        const SearchReport r = search(*p, {}, nullptr);
        EXPECT_EQ(r.state, State::proved) << c.name;
        EXPECT_EQ(r.outcome.cycles, best_of(all)) << c.name;
        EXPECT_EQ(r.search_gap(), 0) << c.name;
        EXPECT_LE(r.emulated, all.size()) << c.name;
        generators.insert(c.request.generator);
        spaces++;
    }
    EXPECT_GE(spaces, 20);
    EXPECT_GE(generators.size(), 5u);
}

TEST(Search, EnergyOptimumEqualsBruteForce) {
    for (size_t k : {1, 5, 8, 17}) {
        const auto p = problem_of(small_cases()[k]);
        double best = 1e300;
        for (const auto &[point, o] : brute_force(*p))
            if (o.status == Status::exact) best = std::min(best, o.energy_pj);
        SearchOptions options;
        options.objective = Objective::energy;
        EXPECT_EQ(search(*p, options, nullptr).outcome.energy_pj, best) << small_cases()[k].name;
    }
}

bool same_rows(const SearchReport &a, const SearchReport &b) {
    return a.timed == b.timed && a.best == b.best && a.state == b.state && a.smallest_open == b.smallest_open && a.nodes == b.nodes;
}

// Would catch decisions that depend on which worker was first.
TEST(Search, SameResultWith1And4Workers) {
    for (size_t k : {3, 6, 9}) {
        const auto p = problem_of(small_cases()[k]);
        SearchOptions one, four;
        four.jobs = 4;
        EXPECT_TRUE(same_rows(search(*p, one, nullptr), search(*p, four, nullptr))) << small_cases()[k].name;
    }
}

TEST(Search, ModelOffSameCyclesAndProof) {
    for (size_t k : {1, 14, 17}) {
        const auto p = problem_of(small_cases()[k]);
        SearchOptions without;
        without.model = false;
        const SearchReport a = search(*p, {}, nullptr), b = search(*p, without, nullptr);
        EXPECT_EQ(a.outcome.cycles, b.outcome.cycles);
        EXPECT_EQ(a.state, b.state);
    }
}

TEST(Search, RoundSizeKeepsOptimum) {
    const auto p = problem_of(small_cases()[2]);
    SearchOptions options;
    const uint64_t best = search(*p, options, nullptr).outcome.cycles;
    for (int round : {1, 3, 64}) {
        options.round = round;
        EXPECT_EQ(search(*p, options, nullptr).outcome.cycles, best);
    }
}

// The gap that is reported is never smaller than the true one.
TEST(Search, GapHoldsWhenTheBudgetEnds) {
    const auto p = problem_of(small_cases()[1]);
    const uint64_t best = best_of(brute_force(*p));
    SearchOptions options;
    options.round = 1;
    for (uint64_t n : {1, 2, 4}) {
        options.emulations = n;
        const SearchReport r = search(*p, options, nullptr);
        EXPECT_LE(r.smallest_open, static_cast<double>(best));
        EXPECT_GE(r.outcome.cycles, best);
    }
}

TEST(Search, DriversRepeatWithTheirSeed) {
    const auto p = problem_of(small_cases()[5]);
    for (Driver d : {Driver::random, Driver::evolution, Driver::annealing}) {
        SearchOptions options;
        options.driver = d, options.emulations = 48, options.seed = 3;
        const SearchReport a = search(*p, options, nullptr), b = search(*p, options, nullptr);
        EXPECT_TRUE(same_rows(a, b)) << driver_names[static_cast<int>(d)];
        EXPECT_LE(a.smallest_open, static_cast<double>(a.outcome.cycles));
    }
}

TEST(Search, LimitsAreKeptOrTheirConflictNamed) {
    const auto p = problem_of(small_cases()[1]);
    const SearchReport free = search(*p, {}, nullptr);
    SearchOptions options;
    options.limits.spm_bytes = free.outcome.spm_bytes - 1;
    const SearchReport within = search(*p, options, nullptr);
    if (within.state == State::proved) {
        EXPECT_LT(within.outcome.spm_bytes, free.outcome.spm_bytes);
    }
    options.limits = {.spm_bytes = free.outcome.spm_bytes, .cycles = free.outcome.cycles - 1};
    const SearchReport none = search(*p, options, nullptr);
    EXPECT_EQ(none.state, State::none_legal);
    EXPECT_EQ(none.conflict, "cycles");
}

}  // namespace
}  // namespace emulsion::explore
