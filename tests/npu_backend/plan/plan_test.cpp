// Addresses and tokens. Catches rings that do not overlap, orders that are missing, and distances that let a writer overrun.
#include "tests/npu_backend/pipeline.h"

#include "npu_backend/plan/assign_tokens.h"
#include "npu_backend/plan/place_buffers.h"

#include <algorithm>

namespace emulsion {
namespace {

using namespace Halide;

Var x("x"), y("y"), xo("xo"), xi("xi");

ir::TileProgram staged(int ring) {
    ImageParam in(UInt(8), 1, "in");
    Func out("o");
    out(x) = in(x) + cast<uint8_t>(1);
    out.split(x, xo, xi, 64, TailStrategy::GuardWithIf);
    Func tile = in.in();
    tile.compute_at(out, xo).store_in(scratchpad);
    if (ring > 1) tile.hoist_storage_root().ring_buffer(ring);
    return tiles_of(out, {640}, {{in, {640}}});
}

int initial_of_backward(const ir::TileProgram &p) { return *std::max_element(p.token_initial.begin(), p.token_initial.end()); }

TEST(AssignTokens, RingDepthIsTheInitialCount) {
    EXPECT_EQ(initial_of_backward(assign_tokens(staged(1))), 1);
    EXPECT_EQ(initial_of_backward(assign_tokens(staged(3))), 3);
}

TEST(AssignTokens, EveryWaitHasASignal) {
    const ir::TileProgram p = assign_tokens(staged(2));
    std::vector<int> waits(p.token_initial.size()), signals(p.token_initial.size());
    std::function<void(const ir::Node &)> count = [&](const ir::Node &n) {
        for (int t : n.waits) waits[t]++;
        for (int t : n.signals) signals[t]++;
        for (int t : n.tile.waits) waits[t]++;
        for (int t : n.tile.signals) signals[t]++;
        for (const ir::NodePtr &c : n.children) count(*c);
    };
    count(*p.body);
    EXPECT_EQ(waits, signals);
    EXPECT_EQ(waits, std::vector<int>(waits.size(), 1));
}

// Rows stored modulo 6 with a window of 3: the load may run 4 turns ahead of the rows in use.
TEST(AssignTokens, RollingStorageRunsAheadUntilRowsMeet) {
    ImageParam in(UInt(8), 2, "in");
    Func rows("rows"), out("o");
    rows(x, y) = in(x, y);
    out(x, y) = cast<uint8_t>((cast<uint16_t>(rows(x, y)) + rows(x, y + 1) + rows(x, y + 2)) / 3);
    rows.store_root().compute_at(out, y).fold_storage(y, 6).store_in(scratchpad);
    const ir::TileProgram p = assign_tokens(tiles_of(out, {64, 46}, {{in, {64, 48}}}));
    EXPECT_EQ(initial_of_backward(p), 4);
}

// A stage stored outside the loops is loaded in the first turn of y alone: nothing has to wait for its readers.
TEST(AssignTokens, StorageFilledOnceLetsTheLoadRunAhead) {
    ImageParam in(UInt(8), 1, "in");
    Func kept("kept"), out("o");
    kept(x) = in(x);
    out(x, y) = kept(x) + cast<uint8_t>(y);
    out.split(x, xo, xi, 16, TailStrategy::GuardWithIf).reorder(xi, xo, y);
    kept.store_root().compute_at(out, xo).store_in(scratchpad);
    const ir::TileProgram p = assign_tokens(tiles_of(out, {64, 8}, {{in, {64}}}));
    EXPECT_GT(initial_of_backward(p), 64);
}

TEST(AssignTokens, RaggedTilesOfStorageFilledOnceStillDoNotMeet) {
    Var z("z"), zo("zo"), zi("zi");
    ImageParam in(UInt(8), 2, "in");
    Func kept("kept"), out("o");
    kept(x, z) = in(x, z);
    out(x, z, y) = kept(x, z) + cast<uint8_t>(y);
    out.tile(x, z, xo, zo, xi, zi, 24, 4, TailStrategy::GuardWithIf).reorder(xi, zi, xo, zo, y);
    kept.store_root().compute_at(out, xo).store_in(scratchpad);
    const ir::TileProgram p = assign_tokens(tiles_of(out, {64, 8, 3}, {{in, {64, 8}}}));
    EXPECT_GT(initial_of_backward(p), 64);
}

TEST(PlaceBuffers, NamesTheLargestWhenTheScratchpadIsTooSmall) {
    TargetDesc tiny;
    tiny.spm_bytes = 100;
    const Diagnostic d = diagnostic_of([&] { (void)place_buffers(staged(2), tiny); });
    EXPECT_EQ(d.id, Diag::buffers_do_not_fit);
    EXPECT_NE(d.message.find("in_im"), std::string::npos) << d.message;
}

TEST(PlaceBuffers, BuffersDoNotOverlap) {
    TargetDesc target;
    target.spm_bytes = 1 << 20;
    const ir::TileProgram p = place_buffers(staged(2), target);
    std::vector<std::pair<int64_t, int64_t>> ranges;
    for (const ir::Buffer &b : p.buffers)
        if (b.space == Space::spm) ranges.emplace_back(b.offset, b.offset + b.slot_bytes * b.ring);
    std::sort(ranges.begin(), ranges.end());
    for (size_t k = 1; k < ranges.size(); k++) EXPECT_LE(ranges[k - 1].second, ranges[k].first);
}

}  // namespace
}  // namespace emulsion
