// One schedule with everything that can be checked of it: compiled with the verifier, run against stock Halide, timed.
#pragma once
#include "apps/emulsion/difference.h"
#include "apps/explore/verbs/words.h"
#include "runtime/emulator/emulator.h"

namespace emulsion::explore {

struct Replayed {
    Outcome outcome;
    Bound bound, partial;       ///< of the complete point; of its parameters one by one
    uint64_t busiest = 0;       ///< cycles of the busiest queue, without any wait
    command::Difference bits;   ///< of all outputs, against stock Halide: none is different
};

/// Inputs are random, of a fixed seed. Raises what compile() and the emulator raise, EM802 for a broken bound, EM902 when stock Halide's
/// elements differ.
Replayed replayed(const Problem &problem, const Point &point);

/// Compiles and times with events; no bits.
TimingReport timed(const Problem &problem, const Point &point);

nlohmann::ordered_json to_json(const Problem &problem, const Point &point, const Replayed &r);

}  // namespace emulsion::explore
