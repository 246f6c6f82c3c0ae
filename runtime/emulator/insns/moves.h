// What load, store and copy share: dst = src over a domain, with a boundary on the source side.
#pragma once
#include "runtime/emulator/semantics.h"

namespace emulsion {

/// dst = operand 0, src = operand 1, same element size.
void move(const Dispatched &d, Memory &m);

}  // namespace emulsion
