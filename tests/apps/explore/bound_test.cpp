#include "apps/explore/search/sampling.h"
#include "tests/apps/explore/cases.h"
#include "tests/runtime/raises.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace emulsion::explore {
namespace {

/// Samples per problem; EMULSION_BOUND_SAMPLES raises it (the full check takes 50,000 in all).
int samples() {
    const char *wanted = std::getenv("EMULSION_BOUND_SAMPLES");
    return wanted ? std::atoi(wanted) : 20;
}

// Would catch a bound that counts work which a schedule can avoid: the proof of a search would be worth nothing.
TEST(Bound, AtMostEmulatedForEverySample) {
    for (const Case &c : small_cases()) {
        const auto p = problem_of(c);
        Sampler sampler(p->space, 11);
        for (int k = 0; k < samples(); k++) {
            const auto point = sampler.point();
            ASSERT_TRUE(point) << c.name;
            const Outcome o = evaluate(*p, *point);
            if (o.status != Status::exact) continue;
            Point prefix;
            for (size_t d = 0; d <= point->size(); d++) {
                const Bound b = p->bound->partial(prefix);
                EXPECT_LE(b.cycles, o.cycles) << c.name << " " << p->space.key(*point) << " open from " << d;
                EXPECT_LE(b.energy_pj, o.energy_pj) << c.name << " " << p->space.key(*point);
                EXPECT_LE(b.spm_bytes, o.spm_bytes) << c.name << " " << p->space.key(*point);
                if (d < point->size()) prefix.push_back((*point)[d]);
            }
            const Bound b = p->bound->complete(*point);
            EXPECT_LE(b.cycles, o.cycles) << c.name << " " << p->space.key(*point);
            EXPECT_LE(b.energy_pj, o.energy_pj) << c.name << " " << p->space.key(*point);
        }
    }
}

// Would catch a scratchpad formula that no longer says what the backend places: limits would drop legal schedules.
TEST(Bound, ScratchpadOfContractionsIsExact) {
    for (const Case &c : small_cases()) {
        if (c.request.generator != "conv2d" && c.request.generator != "depthwise_conv2d" && c.request.generator != "fully_connected") continue;
        const auto p = problem_of(c);
        Sampler sampler(p->space, 5);
        for (int k = 0; k < 5; k++) {
            const auto point = sampler.point();
            const Outcome o = evaluate(*p, *point);
            if (o.status != Status::exact) continue;
            EXPECT_EQ(p->bound->complete(*point).spm_bytes, o.spm_bytes) << c.name << " " << p->space.key(*point);
        }
    }
}

// The guard: a bound above the emulated cycles stops everything and says how to repeat it.
TEST(Bound, BrokenBoundIsCaught) {
    const auto p = problem_of(small_cases()[0]);
    const Outcome o = evaluate(*p, p->hand);
    const std::string text = error_of([&] { check_bound(*p, p->hand, {.cycles = o.cycles + 1}, o); });
    EXPECT_NE(text.find("EM802"), std::string::npos);  // bound_broken
    EXPECT_NE(text.find("emulsion explore replay conv2d"), std::string::npos);
}

}  // namespace
}  // namespace emulsion::explore
