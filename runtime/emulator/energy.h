// Energy of a run: counted events times the machine's constants, plus static energy.
#pragma once
#include "runtime/isa/target_desc.h"

#include <cstdint>

namespace emulsion {

/// Events of one operation, or of a whole run.
struct Activity {
    uint64_t mac_i8 = 0;  ///< integer MACs times the slowdown of their type: an i16 MAC is built from i8 ones
    uint64_t mac_f16 = 0, mac_f32 = 0;
    uint64_t spm_bytes = 0;   ///< read and written
    uint64_t acc_bytes = 0;   ///< read and written
    uint64_t ext_bytes = 0;   ///< moved, whole bursts
    uint64_t vector_ops = 0;  ///< lane operations: elements times issue slots
    uint64_t lookups = 0;     ///< data-indexed element reads and writes
    uint64_t issued = 0;      ///< instructions, control included

    Activity &operator+=(const Activity &o);
};

/// Energy of `activity` spread over `cycles` [pJ].
double energy_pj(const Activity &activity, const EnergyDesc &energy, uint64_t cycles);

}  // namespace emulsion
