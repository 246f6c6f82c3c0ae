// Would catch: values that live at once in the same bytes, misaligned offsets, a bound above the best plan, plans that waste room.
#include "graph/plan/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace emulsion::graph {
namespace {

bool together(const Lifetime &a, const Lifetime &b) { return a.first <= b.last && b.first <= a.last; }

void check(const std::vector<Lifetime> &lives, const ArenaPlan &plan) {
    ASSERT_EQ(plan.offsets.size(), lives.size());
    for (size_t a = 0; a < lives.size(); a++) {
        EXPECT_EQ(plan.offsets[a] % lives[a].alignment, 0);
        EXPECT_LE(plan.offsets[a] + lives[a].bytes, plan.peak);
        for (size_t b = 0; b < a; b++) {
            const bool apart = plan.offsets[a] + lives[a].bytes <= plan.offsets[b] || plan.offsets[b] + lives[b].bytes <= plan.offsets[a];
            EXPECT_TRUE(apart || !together(lives[a], lives[b])) << a << " " << b;
        }
    }
    EXPECT_GE(plan.peak, plan.lower_bound);
}

std::vector<Lifetime> random_lives(std::mt19937 &random, int count, int steps, int64_t alignment) {
    std::vector<Lifetime> lives;
    for (int k = 0; k < count; k++) {
        const int first = static_cast<int>(random() % steps), last = first + static_cast<int>(random() % 4);
        lives.push_back({1 + static_cast<int64_t>(random() % 1000), first, last, alignment});
    }
    return lives;
}

/// The least peak over all orders: lowest-place packing reaches the optimum for some order.
int64_t brute_force(const std::vector<Lifetime> &lives) {
    std::vector<size_t> order(lives.size());
    std::iota(order.begin(), order.end(), size_t{0});
    int64_t best = INT64_MAX;
    do {
        std::vector<int64_t> at(lives.size(), -1);
        int64_t peak = 0;
        for (size_t k : order) {
            int64_t offset = 0;
            for (bool moved = true; moved;) {
                moved = false;
                for (size_t p = 0; p < lives.size(); p++)
                    if (at[p] >= 0 && together(lives[k], lives[p]) && offset < at[p] + lives[p].bytes && at[p] < offset + lives[k].bytes)
                        offset = at[p] + lives[p].bytes, moved = true;
            }
            at[k] = offset;
            peak = std::max(peak, offset + lives[k].bytes);
        }
        best = std::min(best, peak);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

TEST(Arena, SmallSetsReachTheOptimum) {
    std::mt19937 random(5);
    for (int turn = 0; turn < 60; turn++) {
        const std::vector<Lifetime> lives = random_lives(random, 3 + turn % 4, 6, 1);
        const ArenaPlan plan = plan_arena(lives);
        check(lives, plan);
        EXPECT_EQ(plan.peak, brute_force(lives));
    }
}

TEST(Arena, LongChainsStayNearTheBound) {
    std::mt19937 random(6);
    for (int turn = 0; turn < 20; turn++) {
        const std::vector<Lifetime> lives = random_lives(random, 80, 60, 64);
        const ArenaPlan plan = plan_arena(lives);
        check(lives, plan);
        EXPECT_LE(static_cast<double>(plan.peak), 1.25 * static_cast<double>(plan.lower_bound));
    }
}

TEST(Arena, NothingTakesNothing) { EXPECT_EQ(plan_arena({}).peak, 0); }

}  // namespace
}  // namespace emulsion::graph
