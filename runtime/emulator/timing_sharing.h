// Shared bandwidth: what happens when running instructions together ask for more than a memory gives.
#pragma once
#include "runtime/emulator/timing_work.h"

namespace emulsion::timing {

// Fixed point: demands in 1/2^16 of a unit per cycle, speeds in 1/2^20 of full speed. Demands are rounded up and speeds
// down, so that no more bytes ever flow than the memory gives, which keeps the lower bound below the simulation.
inline constexpr int demand_bits = 16, speed_bits = 20;
inline constexpr uint64_t full_speed = uint64_t{1} << speed_bits;

/// What one running instruction asks of the two shared memories.
struct Demand {
    uint64_t ext = 0, spm = 0;

    Demand &operator+=(const Demand &o) {
        ext += o.ext, spm += o.spm;
        return *this;
    }
};

class SharedBandwidth {
public:
    explicit SharedBandwidth(const TargetDesc &target);

    /// Average demand of an instruction over its own occupancy. Never above the capacity: the unit formulae saw to
    /// that.
    Demand demand_of(const Work &work) const;

    /// Speed at which an instruction with `mine` runs while all running instructions together ask for `total`: every
    /// user of an overcommitted memory slows in the same proportion. In (0, full_speed].
    uint64_t speed(const Demand &mine, const Demand &total) const;

private:
    Demand capacity_;
};

}  // namespace emulsion::timing
