// A timed run in the Chrome trace format, which Perfetto opens: one row per queue, one cycle per microsecond.
#pragma once
#include "runtime/emulator/emulator.h"

#include <string>

namespace emulsion {

/// JSON of report.events; `program` names the instructions by mnemonic and stage.
std::string chrome_trace(const Program &program, const TimingReport &report);

}  // namespace emulsion
