#include "runtime/emulator/timing_work.h"

namespace emulsion::timing {
namespace {

struct Formula {
    Opcode op;
    int operands;  ///< at least
    Work (*work)(const Operation &, const CostModel &);
};

// sync_* are no rows: they take no time.
constexpr Formula formulae[] = {
    {Opcode::op_load, 2, transfer_work},     {Opcode::op_store, 2, transfer_work},
    {Opcode::op_fill, 1, fill_work},         {Opcode::op_copy, 2, copy_work},
    {Opcode::op_clear, 1, clear_work},       {Opcode::op_preload, 2, preload_work},
    {Opcode::op_contract, 3, contract_work}, {Opcode::op_drain, 0, drain_work},
    {Opcode::op_run, 0, run_work},
};

bool has(const MicroOpInfo &row, char operand) { return row.operands.find(operand) != std::string_view::npos; }

// Micro-ops that no table knows cost nothing; loader and verifier refuse them.
constexpr MicroOpInfo unknown_row{"unknown", {}, "", 0, ""};

const MicroOpInfo &row_of(MicroOpcode code) {
    const auto it =
        std::find_if(std::begin(micro_ops), std::end(micro_ops), [&](const MicroOpInfo &r) { return r.code == code; });
    return it == std::end(micro_ops) ? unknown_row : *it;
}

int width_class(uint32_t bytes) { return bytes >= 8 ? 3 : bytes >= 4 ? 2 : bytes >= 2 ? 1 : 0; }

constexpr uint32_t index_bytes = 4;  // data-indexed accesses take their addresses from 32-bit lanes

// Data-indexed accesses issue once per vector of 32-bit addresses; others ride on the streams.
void add_access(MicroProfile &p, const MicroOp &m) {
    const bool is_store = m.op == MicroOpcode::store;
    const bool indexed = (is_store ? m.b : m.a) != no_value;
    p.accesses.push_back({m.stream, indexed});
    if (is_store) p.result_bytes += info(m.type).bytes;
    if (indexed) p.slots[width_class(index_bytes)] += 1;
    if (indexed) p.widest_bytes = std::max(p.widest_bytes, index_bytes);
}

int operands_needed(const Instruction &i, const Formula &f, const CostModel &model) {
    int needed = f.operands;
    const bool micro = i.op == Opcode::op_drain || i.op == Opcode::op_run;
    if (micro && i.extra < model.profiles.size())
        for (const MicroProfile::Access &a : model.profiles[i.extra].accesses) needed = std::max(needed, a.stream + 1);
    return needed;
}

}  // namespace

MicroProfile profile_of(const MicroProgram &micro) {
    MicroProfile p;
    for (const MicroOp &m : micro) {
        if (m.op == MicroOpcode::load || m.op == MicroOpcode::store) {
            add_access(p, m);
            continue;
        }
        const MicroOpInfo &row = row_of(m.op);
        if (row.slots == 0) continue;
        uint32_t bytes = info(m.type).bytes;
        if (has(row, 'f')) bytes = std::max<uint32_t>(bytes, info(m.from).bytes);
        p.slots[width_class(bytes)] += row.slots;
        p.widest_bytes = std::max(p.widest_bytes, bytes);
    }
    return p;
}

CostModel::CostModel(const Program &p, const TargetDesc &t) : program(p), target(t) {
    for (const MicroProgram &m : program.micro_programs) profiles.push_back(profile_of(m));
    for (const Formula &f : formulae)
        for (const Instruction &i : program.code)
            if (i.op == f.op && i.stream_count < operands_needed(i, f, *this))
                raise(Diag::program_malformed, place_of(program, static_cast<uint32_t>(&i - program.code.data())),
                      fmt::format("{} operands are missing", operands_needed(i, f, *this) - i.stream_count));
}

Work CostModel::work(const Dispatched &dispatched) const {
    const auto formula = std::find_if(std::begin(formulae), std::end(formulae),
                                      [&](const Formula &f) { return f.op == dispatched.insn->op; });
    if (dispatched.empty || formula == std::end(formulae)) return {};
    Work w = formula->work(Operation(dispatched), *this);
    w.occupancy = std::max({w.occupancy, ceil_div(w.spm_bytes, target.spm_bytes_per_cycle), uint64_t{1}});
    w.activity.spm_bytes = w.spm_bytes;
    w.activity.ext_bytes = w.ext_bytes;
    return w;
}

}  // namespace emulsion::timing
