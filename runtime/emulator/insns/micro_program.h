// What run and drain share: a micro-program over a domain.
#pragma once
#include "runtime/emulator/semantics.h"

namespace emulsion {

/// Every point of the domain, in lexicographic order, executes the micro-program's operations in order.
void execute_micro_program(const Dispatched &d, Memory &m);

}  // namespace emulsion
