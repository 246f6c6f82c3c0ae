#include "runtime/emulator/timing_bound.h"

#include "runtime/emulator/timing_work.h"

namespace emulsion {

uint64_t TimingBound::cycles() const { return std::max({*std::max_element(queue.begin(), queue.end()), ext, spm}); }

TimingBound bound_by_resource(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments) {
    const timing::CostModel model(program, target);
    ControlWalker walker(program, arguments);
    TimingBound bound;
    uint64_t ext_bytes = 0, spm_bytes = 0;
    for (Dispatched d; walker.next(d);) {
        const timing::Work w = model.work(d);
        bound.queue[static_cast<int>(d.row->queue)] += w.occupancy;
        ext_bytes += w.ext_bytes;
        spm_bytes += w.spm_bytes;
    }
    bound.queue[static_cast<int>(Queue::CTL)] = walker.control_instructions();
    bound.ext = timing::cycles_at(ext_bytes, target.ext.bytes_per_cycle_x10);
    bound.spm = timing::ceil_div(spm_bytes, target.spm_bytes_per_cycle);
    return bound;
}

uint64_t lower_bound(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments) {
    return bound_by_resource(program, target, arguments).cycles();
}

}  // namespace emulsion
