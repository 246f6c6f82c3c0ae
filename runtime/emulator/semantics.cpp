#include "runtime/emulator/semantics.h"

namespace emulsion {

#define DECLARE_tile(name) void execute_##name(const Dispatched &, Memory &);
#define DECLARE_sync(name)
#define DECLARE_ctl_none(name)
#define DECLARE_ctl_di(name)
#define DECLARE_ctl_dab(name)
#define DECLARE_ctl_loop(name)
#define DECLARE_ctl_branch(name)
#define DECLARE_ctl_jump(name)
#define DECLARE_ctl_imm(name)
#define INSN(name, code, queue, form, says) DECLARE_##form(name)
#include "runtime/isa/instructions.def"
#undef INSN

namespace {
struct Row {
    Opcode op;
    Execute execute;
};
#define ROW_tile(name) {Opcode::op_##name, execute_##name},
#define ROW_sync(name)
#define ROW_ctl_none(name)
#define ROW_ctl_di(name)
#define ROW_ctl_dab(name)
#define ROW_ctl_loop(name)
#define ROW_ctl_branch(name)
#define ROW_ctl_jump(name)
#define ROW_ctl_imm(name)
constexpr Row rows[] = {
#define INSN(name, code, queue, form, says) ROW_##form(name)
#include "runtime/isa/instructions.def"
#undef INSN
};
}  // namespace

Execute semantics_of(Opcode op) {
    for (const Row &r : rows)
        if (r.op == op) return r.execute;
    return nullptr;
}

void require_operands(const Dispatched &d, const Memory &m, size_t count) {
    if (d.stream.size() != count)
        raise(Diag::operand_count, place_of(m.program(), d.pc), std::string(d.row->name), d.stream.size());
}

}  // namespace emulsion
