// Catches: staging words that leave the wrong memory, level, ring depth or result.
#include "dsl/stage.h"

#include "dsl/mark.h"
#include "dsl/memory.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

struct Scale {
    Halide::Var x{"x"}, xo{"xo"}, xi{"xi"};
    Halide::ImageParam in{Halide::Int(32), 1, "in"};
    Halide::Func out{"out"};
    Scale() {
        out(x) = in(x) * 2 + in(x + 1);
        out.split(x, xo, xi, 8, Halide::TailStrategy::GuardWithIf);
    }
};

TEST(StageIn, CopiesIntoTheScratchpadAtTheLevel) {
    Scale s;
    const Halide::Func staged = stage_in(s.in, s.out, {s.out, s.xo});
    EXPECT_TRUE(staged.function().is_wrapper());
    EXPECT_EQ(staged.function().schedule().memory_type(), scratchpad);
    EXPECT_EQ(find_mark(staged, "at").rfind("tests/dsl/stage_test.cpp:", 0), 0u);
}

TEST(DoubleBuffer, SetsRingDepthOverlapAndHoistedStorage) {
    Scale s;
    const Halide::Func staged = stage_in(s.in, s.out, {s.out, s.xo});
    double_buffer(staged, Halide::LoopLevel::root(), 3);
    const auto &schedule = staged.function().schedule();
    EXPECT_TRUE(Halide::Internal::is_const(schedule.ring_buffer(), 3));
    EXPECT_TRUE(schedule.async());
    Halide::LoopLevel level = schedule.hoist_storage_level();
    EXPECT_TRUE(level.lock().is_root());
}

TEST(DoubleBuffer, DepthOneLeavesTheScheduleAlone) {
    Scale s;
    const Halide::Func staged = stage_in(s.in, s.out, {s.out, s.xo});
    double_buffer(staged, Halide::LoopLevel::root(), 1);
    EXPECT_FALSE(staged.function().schedule().ring_buffer().defined());
    EXPECT_FALSE(staged.function().schedule().async());
}

TEST(KeepResident, IsComputedOnceBeforeEveryLoop) {
    Scale s;
    const Halide::Func staged = keep_resident(s.in, s.out);
    Halide::LoopLevel level = staged.function().schedule().compute_level();
    EXPECT_TRUE(level.lock().is_root());
}

TEST(StageOut, RecordsTheDepth) {
    Scale s;
    stage_out(s.out, 4);
    EXPECT_EQ(find_mark(s.out, "stage_out"), "4");
}

TEST(Staging, ChangesNoResult) {
    Halide::Buffer<int32_t> data(33);
    for (int i = 0; i < 33; i++) data(i) = i * i;
    Scale s;
    stage_in(s.in, s.out, {s.out, s.xo}).store_in(Halide::MemoryType::Stack);
    s.in.set(data);
    const Halide::Buffer<int32_t> out = s.out.realize({32});
    for (int i = 0; i < 32; i++) EXPECT_EQ(out(i), 2 * i * i + (i + 1) * (i + 1));
}

}  // namespace
}  // namespace emulsion
