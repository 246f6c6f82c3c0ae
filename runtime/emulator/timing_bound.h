// A lower bound of the cycles of a program: what no timing of its instructions can beat.
#pragma once
#include "runtime/emulator/emulator.h"

namespace emulsion {

/// Work per resource [cycles]; the program takes at least the largest.
struct TimingBound {
    std::array<uint64_t, queue_count> queue{};  ///< sum of the occupancies of each unit; CTL: instructions executed
    uint64_t ext = 0;                           ///< bytes moved / EXT bandwidth, whole bursts
    uint64_t spm = 0;                           ///< bytes moved / SPM bandwidth

    uint64_t cycles() const;
};

/// Same unit formulae as simulate(), without latencies, waits, or contention. Raises as simulate() does, deadlock
/// aside.
TimingBound bound_by_resource(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments);

/// Cycles that simulate() cannot go below.
uint64_t lower_bound(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments);

}  // namespace emulsion
