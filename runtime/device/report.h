// The report of one timed launch, as people and programs read it.
#pragma once
#include "runtime/emulator/emulator.h"
#include "runtime/isa/target_desc.h"

#include <string>

namespace emulsion {

/// MAC cycles / cycles, 0 to 1.
double utilisation(const TimingReport &timing);

/// A block of lines: target, cycles by queue, utilisation, scratchpad peak, bytes moved, energy.
std::string summary_text(const Program &program, const TargetDesc &target, const TimingReport &timing);

/// The same as one JSON object on one line.
std::string summary_json(const Program &program, const TargetDesc &target, const TimingReport &timing);

/// Most bytes of the scratchpad that named buffers hold at once.
uint64_t scratchpad_peak(const Program &program);

}  // namespace emulsion
