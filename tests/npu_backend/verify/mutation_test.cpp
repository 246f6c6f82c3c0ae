// The verifier against wrong programs: whatever changes a result, or fails, in some interleaving must have been
// refused.
#include "tests/npu_backend/verify/mutation_harness.h"
#include "tests/npu_backend/verify/program_builder.h"

#include <gtest/gtest.h>
#include <iostream>

namespace emulsion::test {
namespace {

TEST(Mutation, OriginalsAreAcceptedAndDoNotDependOnTheInterleaving) {
    for (const NamedProgram &n : hand_programs) {
        const HandProgram h = n.make();
        EXPECT_TRUE(accepted(h, small_target())) << n.name;
        const auto expected = execute(h, small_target(), 0);
        ASSERT_TRUE(expected) << n.name;
        for (uint64_t seed = 1; seed < 8; seed++)
            EXPECT_EQ(execute(h, small_target(), seed), expected) << n.name << " seed " << seed;
    }
}

TEST(Mutation, EveryHarmfulMutantIsRefused) {
    MutationReport report;
    for (const NamedProgram &n : hand_programs) try_mutants(n.make(), small_target(), report);
    std::cout << report.table();
    for (const std::string &e : report.escaped) ADD_FAILURE() << "accepted although harmful: " << e;
    EXPECT_GE(report.total().harmful, 200);
}

}  // namespace
}  // namespace emulsion::test
