#include "runtime/emulator/semantics.h"

#include <array>

namespace emulsion {

// Only rows of form `tile` have a function.
#define IF_tile(x) x
#define IF_sync(x)
#define IF_ctl_none(x)
#define IF_ctl_di(x)
#define IF_ctl_dab(x)
#define IF_ctl_loop(x)
#define IF_ctl_branch(x)
#define IF_ctl_jump(x)
#define IF_ctl_imm(x)

#define INSN(name, code, queue, form, says) IF_##form(void execute_##name(const Dispatched &, Memory &);)
#include "runtime/isa/instructions.def"
#undef INSN

Execute semantics_of(Opcode op) {
    static const auto by_code = [] {
        std::array<Execute, 256> table{};
#define INSN(name, code, queue, form, says) IF_##form(table[code] = execute_##name;)
#include "runtime/isa/instructions.def"
#undef INSN
        return table;
    }();
    return by_code[static_cast<uint8_t>(op)];
}

void require_operands(const Dispatched &d, const Memory &m, size_t count) {
    if (d.stream.size() != count) raise(Diag::operand_count, place_of(m.program(), d.pc), d.row->name, d.stream.size());
}

void fill_operand(const Dispatched &d, Memory &m, size_t k, uint64_t bits) {
    const Window w = m.window(d, k, Touch::write);
    const int bytes = info(d.stream[k].type).bytes;
    for_each_run(d, k, [&](int64_t first, int64_t step, int64_t count) {
        if (w.written) mark_written(w, first, step, count, bytes);
        if (step == bytes && bits == 0) std::memset(w.data + first, 0, count * bytes);
        else
            for (int64_t n = 0; n < count; n++) std::memcpy(w.data + first + n * step, &bits, bytes);
    });
}

}  // namespace emulsion
