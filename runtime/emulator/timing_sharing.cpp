#include "runtime/emulator/timing_sharing.h"

namespace emulsion::timing {
namespace {

constexpr uint64_t capacity_limit = uint64_t{1} << 27;  // with both fractions it still fits 64 bits

uint64_t capacity(uint64_t units_per_cycle) {
    return std::clamp<uint64_t>(units_per_cycle, 1, capacity_limit) << demand_bits;
}

uint64_t demand(uint64_t units, uint64_t cycles, uint64_t capacity) {
    if (units == 0 || cycles == 0) return 0;
    const auto scaled = static_cast<unsigned __int128>(units) << demand_bits;
    return static_cast<uint64_t>(std::min<unsigned __int128>((scaled + cycles - 1) / cycles, capacity));
}

uint64_t speed_in(uint64_t mine, uint64_t total, uint64_t capacity) {
    if (mine == 0 || total <= capacity) return full_speed;
    return std::max<uint64_t>(1, (capacity << speed_bits) / total);
}

}  // namespace

SharedBandwidth::SharedBandwidth(const TargetDesc &target)
    : capacity_{capacity(target.ext.bytes_per_cycle_x10), capacity(target.spm_bytes_per_cycle)} {}

Demand SharedBandwidth::demand_of(const Work &work) const {
    return {demand(times(work.ext_bytes, 10), work.occupancy, capacity_.ext),
            demand(work.spm_bytes, work.occupancy, capacity_.spm)};
}

uint64_t SharedBandwidth::speed(const Demand &mine, const Demand &total) const {
    return std::min(speed_in(mine.ext, total.ext, capacity_.ext), speed_in(mine.spm, total.spm, capacity_.spm));
}

}  // namespace emulsion::timing
