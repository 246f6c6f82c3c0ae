// Random differential tests: every generator, random parameters, shapes and schedules; the emulator against stock Halide.
// Catches any schedule, backend pass or emulator path that changes a bit.
//   test_differential [--cases=N] [--seed=S] [--only=generator]        N cases in all, spread over the generators
#include "tests/differential/case.h"

#include "runtime/diag/diag.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>

namespace emulsion::differential {
namespace {

struct Flags {
    int cases = 3000;
    uint64_t seed = 1;
    std::string only;
} flags;

std::string describe(const Case &c) {
    std::string text = c.generator + " on " + c.target + (c.symbolic ? " symbolic" : "");
    for (const auto *params : {&c.algorithm, &c.schedule})
        for (const auto &[name, value] : *params) text += " " + name + "=" + value;
    for (const auto &[name, extents] : c.extents) {
        text += " " + name + "[";
        for (size_t k = 0; k < extents.size(); k++) text += (k ? "," : "") + std::to_string(extents[k]);
        text += "]";
    }
    return text;
}

Case draw(const Space &space, uint64_t seed) {
    Draw d(seed);
    Case c = space.draw(d);
    c.seed = seed;
    c.symbolic = d.chance(30);
    // A look-up by data spans whole rows of its buffer; with a symbolic channel count their padding is never written, and the
    // verifier refuses the program: docs/design/lowering.md, "Data-indexed windows".
    if (c.generator.rfind("resize_", 0) == 0) c.symbolic = false;
    c.target = d.chance(70) ? "mobile" : d.pick({"edge-256", "server", "edge-64"});
    if (c.target != "mobile") c.schedule.clear();  // drawn tiles fit mobile's scratchpad; the others show their default schedules
    return c;
}

class Differential : public testing::TestWithParam<Space> {};

TEST_P(Differential, EmulatorGivesTheBitsOfStockHalide) {
    const Space &space = GetParam();
    if (!flags.only.empty() && flags.only != space.generator) GTEST_SKIP();
    static const int generators = static_cast<int>(all_spaces().size());
    const int share = flags.only.empty() ? (flags.cases + generators - 1) / generators : flags.cases;
    int failures = 0;
    for (int k = 0; k < share && failures < 5; k++) {
        const Case c = draw(space, flags.seed + static_cast<uint64_t>(k));
        std::string problem;
        try {
            problem = run_case(c, space.ulps);
        } catch (const Error &e) {
            problem = e.what();
        }
        if (problem.empty()) continue;
        failures++;
        ADD_FAILURE() << describe(c) << "\n" << problem << "\nrepeat: " << repeat_command(c);
    }
}

INSTANTIATE_TEST_SUITE_P(Generators, Differential, testing::ValuesIn(all_spaces()), [](const auto &info) { return std::string(info.param.generator); });

void read_flags(int argc, char **argv) {
    for (int k = 1; k < argc; k++) {
        const std::string a = argv[k];
        if (a.rfind("--cases=", 0) == 0) flags.cases = std::atoi(a.c_str() + 8);
        if (a.rfind("--seed=", 0) == 0) flags.seed = std::strtoull(a.c_str() + 7, nullptr, 10);
        if (a.rfind("--only=", 0) == 0) flags.only = a.substr(7);
    }
}

}  // namespace
}  // namespace emulsion::differential

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    emulsion::differential::read_flags(argc, argv);
    return RUN_ALL_TESTS();
}
