#include "runtime/emulator/insns/contract_loops.h"
#include "runtime/emulator/semantics.h"

namespace emulsion {

void execute_contract(const Dispatched &d, Memory &m) {
    require_operands(d, m, 3);
    const ElementType acc = d.stream[0].type, a = d.stream[1].type, b = d.stream[2].type;
    const ContractLoop loop = contract_loop(acc, a, b);
    if (!loop)
        raise(Diag::types_illegal, place_of(m.program(), d.pc), d.row->name,
              fmt::format("{} x {} into {}", info(a).name, info(b).name, info(acc).name));
    const Contraction c{d, m.window(d, 0, Touch::write), m.window(d, 1, Touch::read), m.window(d, 2, Touch::read),
                        static_cast<int16_t>(d.insn->imm & 0xffff), static_cast<int16_t>(d.insn->imm >> 16)};
    m.require_written(d, 1);
    m.require_written(d, 2);
    if (d.overwrite) fill_operand(d, m, 0, 0);
    else m.require_written(d, 0);
    loop(c);
}

}  // namespace emulsion
