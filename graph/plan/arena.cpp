#include "graph/plan/arena.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

namespace emulsion::graph {
namespace {

using Order = std::vector<size_t>;

bool together(const Lifetime &a, const Lifetime &b) { return a.first <= b.last && b.first <= a.last; }

int64_t most_live_bytes(const std::vector<Lifetime> &lives) {
    int64_t most = 0;
    for (const Lifetime &at : lives) {  // the most are live where some life begins
        int64_t live = 0;
        for (const Lifetime &l : lives)
            if (l.first <= at.first && at.first <= l.last) live += l.bytes;
        most = std::max(most, live);
    }
    return most;
}

/// Each in turn at the lowest free place.
ArenaPlan place(const std::vector<Lifetime> &lives, const Order &order) {
    ArenaPlan plan;
    plan.offsets.assign(lives.size(), 0);
    std::vector<size_t> placed;
    for (size_t k : order) {
        const Lifetime &l = lives[k];
        std::vector<std::pair<int64_t, int64_t>> taken;
        for (size_t p : placed)
            if (together(l, lives[p])) taken.emplace_back(plan.offsets[p], plan.offsets[p] + lives[p].bytes);
        std::sort(taken.begin(), taken.end());
        int64_t at = 0;
        for (const auto &[lo, hi] : taken) {
            if (at + l.bytes <= lo) break;
            at = std::max(at, (hi + l.alignment - 1) / l.alignment * l.alignment);
        }
        plan.offsets[k] = at;
        plan.peak = std::max(plan.peak, at + l.bytes);
        placed.push_back(k);
    }
    return plan;
}

}  // namespace

ArenaPlan plan_arena(const std::vector<Lifetime> &lives) {
    const auto size = [&](size_t k) { return lives[k].bytes; };
    const auto area = [&](size_t k) { return lives[k].bytes * (lives[k].last - lives[k].first + 1); };
    Order by_size(lives.size());
    std::iota(by_size.begin(), by_size.end(), size_t{0});
    Order by_area = by_size, by_start = by_size;
    std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) { return size(a) > size(b); });
    std::stable_sort(by_area.begin(), by_area.end(), [&](size_t a, size_t b) { return area(a) > area(b); });
    std::stable_sort(by_start.begin(), by_start.end(), [&](size_t a, size_t b) { return lives[a].first < lives[b].first; });

    const int64_t bound = most_live_bytes(lives);
    Order best_order = by_size;
    ArenaPlan best = place(lives, by_size);
    const auto consider = [&](const Order &order) {
        ArenaPlan plan = place(lives, order);
        if (plan.peak > best.peak || (plan.peak == best.peak && order == best_order)) return;
        best = std::move(plan);
        best_order = order;
    };
    consider(by_area);
    consider(by_start);
    std::mt19937 random(1);
    constexpr int turns = 2000;
    for (int turn = 0; turn < turns && best.peak > bound && lives.size() > 2; turn++) {
        Order order = best_order;
        const size_t from = random() % order.size(), to = random() % order.size();
        const size_t moved = order[from];
        order.erase(order.begin() + static_cast<ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<ptrdiff_t>(to), moved);
        consider(order);
    }
    best.lower_bound = bound;
    return best;
}

}  // namespace emulsion::graph
