// Fronts. Would catch: a schedule that belongs to the front and was pruned or forgotten, one that another beats, a gap that is too small.
#include "apps/explore/search/front.h"
#include "tests/apps/explore/cases.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace emulsion::explore {
namespace {

using Rows = std::vector<std::vector<double>>;

const std::vector<std::vector<const Measure *>> choices = {{&measures[0], &measures[1]}, {&measures[0], &measures[3]}, {&measures[0], &measures[1], &measures[2], &measures[3]}};

Rows rows_of(const std::vector<std::pair<Point, Outcome>> &timed, const std::vector<const Measure *> &by) {
    Rows rows;
    for (const auto &[point, o] : timed) {
        if (o.status != Status::exact) continue;
        rows.emplace_back();
        for (const Measure *m : by) rows.back().push_back(m->of(o));
    }
    return rows;
}

Rows values_of_front(const Rows &rows) {
    Rows front;
    for (const size_t k : front_of(rows)) front.push_back(rows[k]);
    return front;
}

TEST(Front, OfRows) {
    const Rows rows = {{3, 1}, {1, 3}, {2, 2}, {2, 3}, {3, 3}, {1, 3}, {2, 2}};
    EXPECT_EQ(front_of(rows), (std::vector<size_t>{1, 2, 0}));
    EXPECT_TRUE(front_of({}).empty());
}

TEST(Front, EqualsBruteForce) {
    for (size_t k : {1, 8, 14, 18}) {
        const auto p = problem_of(small_cases()[k]);
        const auto all = brute_force(*p);
        for (const auto &by : choices) {
            const FrontReport r = search_front(*p, by, {}, nullptr);
            EXPECT_EQ(r.state, State::proved);
            EXPECT_EQ(r.gap, 0);
            EXPECT_EQ(values_of_front(rows_of(r.timed, by)), values_of_front(rows_of(all, by))) << small_cases()[k].name;
        }
    }
}

// A measure whose bound is above what is measured prunes the front away.
TEST(Front, BoundsOfMeasuresHold) {
    for (size_t k : {1, 6, 9, 14, 18, 20}) {
        const auto p = problem_of(small_cases()[k]);
        int count = 0;
        p->space.each([&](const Point &point) {
            if (count++ % 7) return;
            const Outcome o = evaluate(*p, point);
            if (o.status != Status::exact) return;
            for (const Measure &m : measures) {
                EXPECT_LE(m.bound(p->bound->complete(point), p->target), m.of(o) * (1 + 1e-12)) << m.name << " of " << p->space.key(point) << " of " << small_cases()[k].name;
                for (Point part = point; !part.empty(); part.pop_back()) EXPECT_LE(m.bound(p->bound->partial(part), p->target), m.of(o) * (1 + 1e-12)) << m.name << " of " << p->space.key(point);
            }
        });
    }
}

// With all values divided by 1 + gap, the front found covers the true one.
TEST(Front, GapHoldsWhenTheBudgetEnds) {
    const auto p = problem_of(small_cases()[1]);
    const auto &by = choices[0];
    const Rows truth = values_of_front(rows_of(brute_force(*p), by));
    SearchOptions options;
    options.round = 1;
    for (uint64_t n : {1, 3, 6}) {
        options.emulations = n;
        const FrontReport r = search_front(*p, by, options, nullptr);
        const Rows found = values_of_front(rows_of(r.timed, by));
        for (const auto &t : truth)
            EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const auto &f) {
                return f[0] / (1 + r.gap) <= t[0] * (1 + 1e-12) && f[1] / (1 + r.gap) <= t[1] * (1 + 1e-12);
            })) << n << " trials, gap " << r.gap;
    }
}

}  // namespace
}  // namespace emulsion::explore
