#include "runtime/emulator/semantics.h"

namespace emulsion {

void execute_clear(const Dispatched &d, Memory &m) {
    require_operands(d, m, 1);
    const Window acc = m.window(d, 0);
    for_each_point(d, [&](const auto &, const std::vector<int64_t> &at) { write<int32_t>(acc, at[0], 0); });
}

}  // namespace emulsion
