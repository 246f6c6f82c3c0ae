#include "npu_backend/explain/explain.h"
#include "tests/runtime/emulator/timing_program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace emulsion {
namespace {

// 32 turns: load 2048 B (256 cycles) into a ring of `slots`, contract 64 pixels (64 cycles).
Program loads_dominate(uint8_t slots) {
    ProgramBuilder b;
    const uint8_t full = b.token(), free = b.token(slots);
    b.loop(32);
    b.load(2048, {.wait = {free}, .signal = {full}});
    b.program.debug.push_back({.pc = 1, .stage = "a_tile", .file = "k.cpp", .line = 3});
    b.matmul(64, 16, 16, ElementType::i8, {.wait = {full}, .signal = {free}});
    b.program.debug.push_back({.pc = 2, .stage = "acc", .file = "k.cpp", .line = 4});
    b.end_loop();
    b.program.buffers = {
        {"a_tile", Space::spm, 0, 2048, slots}, {"weights", Space::spm, 8192, 256, 1}, {"acc", Space::acc, 0, 4096, 1}};
    return b.finish();
}

uint64_t cycles_with(const Explanation &e, const std::string &change) {
    for (const WhatIf &w : e.what_if)
        if (w.change.rfind(change, 0) == 0) return w.cycles;
    ADD_FAILURE() << "no answer for " << change;
    return 0;
}

TEST(Explain, NamesTheRooflineOfAMemoryBoundProgram) {
    const Explanation e = explain(loads_dominate(4), timing_machine(), {});
    EXPECT_EQ(e.roofs.front().cycles, 32u * 256);
    EXPECT_EQ(e.roofs.front().resource, "LD");
    EXPECT_GT(e.roofline_fraction(), 0.9);
    EXPECT_LE(e.roofline_fraction(), 1.0);
}

TEST(Explain, MoreBandwidthHelpsAMemoryBoundProgramMost) {
    const Program p = loads_dominate(4);
    const Explanation e = explain(p, timing_machine(), {});
    EXPECT_EQ(e.what_if.front().change, "twice the external bandwidth");
    TargetDesc faster = timing_machine();
    faster.ext.bytes_per_cycle_x10 *= 2;
    EXPECT_EQ(e.what_if.front().cycles, simulate(p, faster, {}).cycles);
    EXPECT_EQ(cycles_with(e, "twice the vector lanes"), e.timing.cycles);
}

TEST(Explain, DeeperRingsAreSimulatedAsMoreFreeSlots) {
    const Explanation single = explain(loads_dominate(1), timing_machine(), {});
    EXPECT_EQ(cycles_with(single, "one slot more in every ring"),
              explain(loads_dominate(2), timing_machine(), {}).timing.cycles);
    EXPECT_LT(cycles_with(single, "one slot more in every ring"), single.timing.cycles);
}

TEST(Explain, StagesAndMemoryAreNamed) {
    const Explanation e = explain(loads_dominate(2), timing_machine(), {});
    ASSERT_EQ(e.stages.size(), 2u);
    EXPECT_EQ(e.stages[0].stage, "a_tile");
    EXPECT_EQ(e.stages[0].busy, 32u * 256);
    EXPECT_EQ(e.stages[1].queue, Queue::MX);
    EXPECT_EQ(e.spm_peak, 8192u + 256);
    EXPECT_EQ(e.acc_peak, 4096u);
    EXPECT_EQ(e.buffers.front().name, "a_tile");
}

TEST(Explain, TextSaysWhatEachQueueWaitedFor) {
    const std::string text = to_text(explain(loads_dominate(1), timing_machine(), {}));
    for (const char *line : {"test on timing: ", "set by LD", "waits for MX", "waits for LD", "a_tile",
                             "same program, simulated again", "no change with "})
        EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(Explain, JsonHoldsTheNumbersOfTheText) {
    const Explanation e = explain(loads_dominate(2), timing_machine(), {});
    const auto j = nlohmann::json::parse(to_json(e));
    EXPECT_EQ(j["cycles"], e.timing.cycles);
    EXPECT_EQ(j["queues"]["LD"]["busy"], 32 * 256);
    EXPECT_EQ(j["what_if"].size(), e.what_if.size());
    EXPECT_EQ(j["buffers"][0]["slots"], 2);
    EXPECT_EQ(j["roofline"]["roofs"][0]["resource"], "LD");
}

TEST(Explain, EmptyProgramIsExplainedToo) {
    ProgramBuilder b;
    const Explanation e = explain(b.finish(), timing_machine(), {});
    EXPECT_EQ(e.timing.cycles, 1u);
    EXPECT_NE(to_text(e).find("1 cycles"), std::string::npos);
}

}  // namespace
}  // namespace emulsion
