// What one tile instruction costs its unit when nothing else runs: the unit formulae of the machine.
#pragma once
#include "runtime/emulator/energy.h"
#include "runtime/emulator/timing_operation.h"
#include "runtime/isa/target_desc.h"

#include <vector>

namespace emulsion::timing {

struct Work {
    uint64_t occupancy = 0;  ///< the unit is taken [cycles]
    uint64_t weight_load =
        0;  ///< added to the occupancy when the array was idle before: its first weights are not hidden [cycles]
    uint64_t latency =
        0;  ///< from the end of the occupancy to completion; the next instruction may run meanwhile [cycles]
    uint64_t ext_bytes = 0;                  ///< moved on the external bus, whole bursts
    uint64_t spm_bytes = 0;                  ///< read and written in the scratchpad
    uint64_t ext_read = 0, ext_written = 0;  ///< bytes of elements
    uint64_t macs = 0;
    uint64_t dense_slots = 0, depthwise_slots = 0;  ///< MACs times slowdown, by the mapping the array uses for them
    Activity activity;
};

/// What timing needs of a micro-program; made once per program.
struct MicroProfile {
    struct Access {
        uint8_t stream;
        bool indexed;
    };
    std::array<uint64_t, 4> slots{};  ///< issue slots per element by lane width: 1, 2, 4, 8 bytes
    uint64_t result_bytes = 0;        ///< per element, all stores together
    uint32_t widest_bytes = 1;        ///< of any micro-op that takes a slot
    std::vector<Access> accesses;
};

MicroProfile profile_of(const MicroProgram &micro);

/// Cost of one dispatched tile instruction. Empty domains cost nothing.
/// profiles: one per Program::micro_programs. Raises EM510 for missing operands, EM517 for MACs of a type
/// that the array lacks.
struct CostModel {
    CostModel(const Program &program, const TargetDesc &target);
    Work work(const Dispatched &dispatched) const;

    const Program &program;
    const TargetDesc &target;
    std::vector<MicroProfile> profiles;
};

// Formulae, one file per unit. The domain is not empty.
Work transfer_work(const Operation &op, const CostModel &model);  ///< load, store (timing_dma.cpp)
Work fill_work(const Operation &op, const CostModel &model);
Work copy_work(const Operation &op, const CostModel &model);
Work contract_work(const Operation &op, const CostModel &model);  ///< timing_array.cpp
Work clear_work(const Operation &op, const CostModel &model);
Work preload_work(const Operation &op, const CostModel &model);
Work drain_work(const Operation &op, const CostModel &model);  ///< timing_lanes.cpp
Work run_work(const Operation &op, const CostModel &model);

/// What the external memory moves for stream k of `op`: `count` runs of `bytes` each. Elements that fall into one burst
/// travel together, in whatever order the domain visits them; a gap of a burst or more ends a run. Nothing: count 0.
///
///   64 bytes, row stride 64, 8 rows    ->  1 run of 512 B
///   8 bytes,  row stride 512, 8 rows   ->  8 runs of 8 B
struct ExternalRuns {
    uint64_t count = 0, bytes = 0;
};
ExternalRuns external_runs(const Operation &op, int k, uint32_t burst_bytes);

}  // namespace emulsion::timing
