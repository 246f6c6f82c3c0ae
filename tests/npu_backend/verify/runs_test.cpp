// Lattices against a set of bytes filled one by one.
#include "npu_backend/verify/runs.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace emulsion::verifier {
namespace {

std::set<int64_t> bytes_of(const Runs &runs) {
    std::set<int64_t> bytes;
    for (const ByteRange &r : runs)
        for (int64_t b = r.lo; b < r.hi; b++) bytes.insert(b);
    return bytes;
}

std::set<int64_t> visit(int64_t origin, const Runs &pattern, const std::vector<Step> &steps) {
    std::set<int64_t> positions{origin};
    for (const Step &s : steps) {
        std::set<int64_t> next;
        for (int64_t p : positions)
            for (int64_t k = 0; k < s.count; k++) next.insert(p + k * s.stride);
        positions.swap(next);
    }
    std::set<int64_t> bytes;
    for (int64_t p : positions)
        for (int64_t b : bytes_of(pattern)) bytes.insert(p + b);
    return bytes;
}

bool canonical(const Runs &runs) {
    for (size_t k = 0; k + 1 < runs.size(); k++)
        if (runs[k].hi >= runs[k + 1].lo) return false;
    return true;
}

TEST(Runs, LatticeHoldsExactlyTheVisitedBytes) {
    std::mt19937 random(7);
    const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); };
    for (int round = 0; round < 4000; round++) {
        Runs pattern;
        for (int k = pick(1, 3); k > 0; k--) {
            const int lo = pick(-6, 6);
            pattern.push_back({lo, lo + pick(1, 4)});
        }
        make_canonical(pattern);
        std::vector<Step> steps;
        for (int k = pick(0, 4); k > 0; k--) steps.push_back({pick(-1, 1) * pick(0, 40), pick(1, 6)});
        const int64_t origin = pick(-100, 100);
        const auto lattice = Lattice::make(origin, pattern, steps);
        ASSERT_TRUE(lattice);
        const Runs runs = lattice->runs();
        const std::set<int64_t> expected = visit(origin, pattern, steps);
        ASSERT_EQ(bytes_of(runs), expected) << "round " << round;
        ASSERT_TRUE(canonical(runs)) << "round " << round;
        ASSERT_EQ(lattice->hull(), (ByteRange{*expected.begin(), *expected.rbegin() + 1})) << "round " << round;
    }
}

TEST(Runs, DenseAndOverlappingLoopsBecomeOneRun) {
    // int8 convolution input: 64 channels, 3 x 3 taps over 14 x 14 pixels of a 16 x 16 tile
    const auto input = Lattice::make(0, {{0, 1}}, {{64, 14}, {64 * 16, 14}, {1, 64}, {64, 3}, {64 * 16, 3}});
    EXPECT_EQ(input->runs(), (Runs{{0, 64 * 256}}));
    // every second byte is read twice, from both sides
    const auto pairs = Lattice::make(0, {{0, 1}, {3, 4}}, {{2, 100}});
    EXPECT_EQ(pairs->run_count(), 3);
}

TEST(Runs, TooManyRunsAreRefused) { EXPECT_FALSE(Lattice::make(0, {{0, 1}}, {{3, 1 << 12}, {1 << 20, 1 << 12}})); }

}  // namespace
}  // namespace emulsion::verifier
