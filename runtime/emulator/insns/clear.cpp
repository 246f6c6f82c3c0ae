#include "runtime/emulator/semantics.h"

namespace emulsion {

void execute_clear(const Dispatched &d, Memory &m) {
    require_operands(d, m, 1);
    fill_operand(d, m, 0, 0);
}

}  // namespace emulsion
