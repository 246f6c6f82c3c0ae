// Runs a micro-program over a domain, for the vector unit and the output unit.
#pragma once
#include "runtime/emulator/semantics.h"

namespace emulsion {

void run_micro_program(const Dispatched &d, Memory &m);

}  // namespace emulsion
