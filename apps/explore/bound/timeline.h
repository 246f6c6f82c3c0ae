// Earliest times of a program's operations when memories are never overcommitted: in-order queues, data dependences, ring
// slots, queue depth, one control cycle per operation. Every quantity is a sum or a maximum of those before it, so leaving a
// delay out can only make the result smaller: it is a lower bound of the emulated cycles.
//
// Left out on purpose, all of them >= 0: control instructions besides one per operation, waits for shared bandwidth, the
// first weight load of an idle array.
#pragma once
#include "runtime/emulator/timing_work.h"

#include <array>
#include <vector>

namespace emulsion::explore {

class Timeline {
public:
    explicit Timeline(const TargetDesc &target);

    /// Dispatches an operation to a queue; it starts no earlier than `ready`. Returns when it completes.
    uint64_t add(Queue queue, const timing::Work &work, uint64_t ready);
    /// Control instructions that are known to be executed between two operations.
    void control(uint64_t instructions) { dispatched_ += instructions; }

    /// No program with these operations ends earlier.
    uint64_t cycles() const;
    const timing::Work &total() const { return total_; }
    /// Energy of the operations and of `cycles()` [pJ], a lower bound as well.
    double energy() const;

private:
    struct Unit {
        std::vector<uint64_t> starts;  ///< of the last queue_depth operations, a ring
        size_t count = 0;
        uint64_t free = 0, completed = 0, busy = 0;
    };

    const TargetDesc &target_;
    std::array<Unit, queue_count> units_;
    uint64_t dispatched_ = 0, last_transfer_latency_ = UINT64_MAX;
    timing::Work total_;
};

}  // namespace emulsion::explore
