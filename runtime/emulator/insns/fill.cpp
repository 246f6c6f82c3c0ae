#include "runtime/emulator/semantics.h"

namespace emulsion {

void execute_fill(const Dispatched &d, Memory &m) {
    require_operands(d, m, 1);
    fill_operand(d, m, 0, static_cast<uint64_t>(int64_t{d.insn->imm}));
}

}  // namespace emulsion
