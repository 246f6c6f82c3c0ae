// Lower bounds of what a schedule costs, for partial and for complete points of a space. Every emulation is held against them.
#pragma once
#include "dsl/space.h"

#include <memory>

namespace emulsion::explore {

struct Bound {
    uint64_t cycles = 0;
    double energy_pj = 0;
    uint64_t spm_bytes = 0;
    uint64_t ext_bytes = 0;  ///< moved on the external bus
};

/// What no schedule in any space can beat.
struct Roofline {
    uint64_t mac_cycles = 0, ext_cycles = 0;  ///< multiply-accumulates / peak rate; bytes of every argument once / bandwidth
    uint64_t cycles() const { return std::max<uint64_t>(1, std::max(mac_cycles, ext_cycles)); }
};

class BoundModel {
public:
    virtual ~BoundModel() = default;
    /// Of every completion of the point. Cheap; never below its parent's is the caller's care.
    virtual Bound partial(const Point &point) const = 0;
    /// Of one complete point: tighter, and dearer.
    virtual Bound complete(const Point &point) const = 0;
    virtual Roofline roofline() const = 0;
};

/// `space` and `target` outlive the model. Raises EM801 for a generator without one.
std::unique_ptr<BoundModel> make_bound_model(const SpaceRequest &request, const ScheduleSpace &space, const TargetDesc &target);

// One per family; make_bound_model chooses.
std::unique_ptr<BoundModel> make_contraction_bound(const SpaceRequest &request, const ScheduleSpace &space, const TargetDesc &target);
std::unique_ptr<BoundModel> make_window_bound(const SpaceRequest &request, const ScheduleSpace &space, const TargetDesc &target);

}  // namespace emulsion::explore
