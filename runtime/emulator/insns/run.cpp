#include "runtime/emulator/insns/micro_program.h"

namespace emulsion {

void execute_run(const Dispatched &d, Memory &m) { execute_micro_program(d, m); }

}  // namespace emulsion
