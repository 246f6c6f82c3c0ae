#include "apps/explore/bound/timeline.h"

#include <algorithm>

namespace emulsion::explore {

Timeline::Timeline(const TargetDesc &target) : target_(target) {
    for (Unit &u : units_) u.starts.assign(std::max<uint32_t>(1, target.queue_depth), 0);
}

uint64_t Timeline::add(Queue queue, const timing::Work &work, uint64_t ready) {
    Unit &u = units_[static_cast<size_t>(queue)];
    uint64_t &oldest = u.starts[u.count % u.starts.size()];  // the queue is full until this one started
    dispatched_ = std::max(dispatched_ + 1, u.count < u.starts.size() ? 0 : oldest);
    const uint64_t start = std::max({dispatched_, u.free, ready});
    oldest = start;
    u.count++;
    u.free = start + work.occupancy;
    u.busy += work.occupancy;
    u.completed = std::max(u.completed, u.free + work.latency);
    if (work.ext_bytes) last_transfer_latency_ = std::min(last_transfer_latency_, work.latency);
    total_.ext_bytes += work.ext_bytes, total_.spm_bytes += work.spm_bytes;
    total_.ext_read += work.ext_read, total_.ext_written += work.ext_written;
    total_.macs += work.macs, total_.activity += work.activity;
    return u.completed;
}

uint64_t Timeline::cycles() const {
    uint64_t cycles = dispatched_ + 1;
    for (const Unit &u : units_) cycles = std::max(cycles, u.completed);
    // Whichever transfer is the last one, its latency follows after all bytes have moved.
    if (total_.ext_bytes)
        cycles = std::max(cycles, total_.ext_bytes * 10 / std::max<uint32_t>(1, target_.ext.bytes_per_cycle_x10) + last_transfer_latency_);
    return std::max(cycles, total_.spm_bytes / std::max<uint32_t>(1, target_.spm_bytes_per_cycle));
}

double Timeline::energy() const {
    Activity a = total_.activity;
    for (const Unit &u : units_) a.issued += u.count;
    return energy_pj(a, target_.energy, cycles());
}

}  // namespace emulsion::explore
