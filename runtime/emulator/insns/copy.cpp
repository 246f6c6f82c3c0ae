#include "runtime/emulator/insns/moves.h"

namespace emulsion {

void execute_copy(const Dispatched &d, Memory &m) { move(d, m); }

}  // namespace emulsion
