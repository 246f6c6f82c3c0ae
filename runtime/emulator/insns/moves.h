// What load, store, copy and preload share: dst = src over a domain.
#pragma once
#include "runtime/emulator/semantics.h"

namespace emulsion {

/// Operand 0 = operand 1, element by element in the order of the domain. Raises EM517 when their elements differ in size.
void move(const Dispatched &d, Memory &m);

/// The same with the boundary `d.fill` on the source side. Raises EM510 when a boundary repeats an empty box.
void move_with_fill(const Dispatched &d, Memory &m);

}  // namespace emulsion
