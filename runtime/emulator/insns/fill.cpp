#include "runtime/emulator/semantics.h"

namespace emulsion {

void execute_fill(const Dispatched &d, Memory &m) {
    require_operands(d, m, 1);
    const Window dst = m.window(d, 0);
    const int bytes = info(d.stream[0].type).bytes;
    const int64_t value = d.insn->imm;
    for_each_point(d, [&](const auto &, const std::vector<int64_t> &at) {
        std::memcpy(dst.data + at[0], &value, bytes);
        if (dst.written) std::memset(dst.written + at[0], 1, bytes);
    });
}

}  // namespace emulsion
