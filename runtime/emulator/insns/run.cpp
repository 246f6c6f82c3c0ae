#include "runtime/emulator/insns/micro_unit.h"

namespace emulsion {

void execute_run(const Dispatched &d, Memory &m) { run_micro_program(d, m); }

}  // namespace emulsion
