// The interval map against one state per byte.
#include "npu_backend/verify/shadow.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace emulsion::verifier {
namespace {

constexpr int size = 60;

/// Happens-before by definition: every earlier access of every byte is remembered.
struct ByteLog {
    struct Entry {
        Queue queue;
        uint32_t sequence;
        bool write;
    };
    std::vector<Entry> entries;
    bool written = false;

    bool allows(const Access &a, bool write) const {
        for (const Entry &e : entries)
            if ((e.write || write) && e.queue != a.queue && a.before[static_cast<int>(e.queue)] < e.sequence)
                return false;
        return true;
    }
};

class Pair {
public:
    explicit Pair(uint32_t seed) : random_(seed) {}

    int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }

    Runs some_runs() {
        Runs runs;
        for (int k = pick(1, 3); k > 0; k--) {
            const int lo = pick(0, size - 1);
            runs.push_back({lo, pick(lo + 1, size)});
        }
        make_canonical(runs);
        return runs;
    }

    // Clocks grow as real ones do: a queue learns of everything another queue has done, now and then.
    Access next_access() {
        const int q = pick(1, 3);
        if (pick(0, 3)) {
            const int other = pick(1, 3);
            for (int k = 0; k < queue_count; k++) known_[q][k] = std::max(known_[q][k], known_[other][k]);
        }
        Access a{static_cast<Queue>(q), ++known_[q][q], known_[q]};
        a.before[q]--;
        return a;
    }

    bool logged(const Runs &runs, const Access &a, bool write, Certainty certainty, bool &unwritten) {
        bool allowed = true;
        unwritten = false;
        for (const ByteRange &r : runs)
            for (int64_t b = r.lo; b < r.hi; b++) {
                allowed &= log_[b].allows(a, write);
                unwritten |= !log_[b].written;
            }
        for (const ByteRange &r : runs)
            for (int64_t b = r.lo; b < r.hi; b++) {
                log_[b].entries.push_back({a.queue, a.sequence, write});
                log_[b].written |= write && certainty == Certainty::always;
            }
        return allowed;
    }

private:
    std::mt19937 random_;
    std::map<int64_t, ByteLog> log_;
    std::array<Clock, queue_count> known_{};
};

TEST(Shadow, AgreesWithOneLogPerByteUpToTheFirstConflict) {
    int conflicts = 0, clean = 0;
    for (uint32_t seed = 0; seed < 3000; seed++) {
        Pair pair(seed);
        Shadow shadow(0, size, false, false);
        for (int step = 0; step < 20; step++) {
            const Access access = pair.next_access();
            const Runs runs = pair.some_runs();
            const bool write = pair.pick(0, 1);
            const Certainty certainty = pair.pick(0, 3) ? Certainty::always : Certainty::maybe;
            bool unwritten = false;
            const bool allowed = pair.logged(runs, access, write, certainty, unwritten);
            Runs missing;
            const auto conflict = write ? shadow.write(runs, access, ElementType::u8, certainty)
                                        : shadow.read(runs, access, ElementType::u8, missing);
            ASSERT_EQ(!conflict, allowed) << "seed " << seed << " step " << step;
            if (conflict) {
                conflicts++;
                break;
            }
            clean++;
            ASSERT_EQ(!missing.empty(), !write && unwritten) << "seed " << seed << " step " << step;
        }
    }
    EXPECT_GT(conflicts, 500);
    EXPECT_GT(clean, 3000);
}

TEST(Shadow, WrittenBytesAreReportedWhole) {
    Shadow shadow(0, size, false, false);
    const Access first{Queue::LD, 1, {}}, second{Queue::LD, 2, {}};
    EXPECT_FALSE(shadow.write({{10, 20}}, first, ElementType::u8, Certainty::always));
    EXPECT_FALSE(shadow.write({{20, 30}}, second, ElementType::u8, Certainty::always));
    EXPECT_EQ(shadow.written(), (Runs{{10, 30}}));
}

}  // namespace
}  // namespace emulsion::verifier
