#include "npu_backend/verify/micro_accesses.h"

#include "npu_backend/verify/predicate.h"

namespace emulsion::verifier {
namespace {

ByteRange fixed_bytes(const MicroOp &m, const Stream &s) { return {m.imm, m.imm + info(s.type).bytes}; }

void add_load(PointAccesses &p, const MicroOp &m, const Stream &s) {
    p.read.push_back(m.a == no_value ? fixed_bytes(m, s) : ByteRange{s.window_lo, s.window_hi});
}

void add_store(PointAccesses &p, const MicroOp &m, const Stream &s, const MicroProgram &micro) {
    if (m.b != no_value) p.maybe.push_back({s.window_lo, s.window_hi});
    else if (m.c == no_value) p.written.push_back(fixed_bytes(m, s));
    else if (Predicate::make(micro, m.c)) p.controlled.push_back({fixed_bytes(m, s), m.c});
    else p.maybe.push_back(fixed_bytes(m, s));
}

}  // namespace

std::vector<PointAccesses> point_accesses(const Program &program, const Instruction &insn) {
    std::vector<PointAccesses> result(insn.stream_count);
    const MicroProgram &micro = program.micro_programs[insn.extra];
    for (const MicroOp &m : micro) {
        if (m.op != MicroOpcode::load && m.op != MicroOpcode::store) continue;
        const Stream &s = program.streams[insn.stream + m.stream];
        if (m.op == MicroOpcode::load) add_load(result[m.stream], m, s);
        else add_store(result[m.stream], m, s, micro);
    }
    for (PointAccesses &p : result)
        for (Runs *r : {&p.read, &p.written, &p.maybe}) make_canonical(*r);
    return result;
}

}  // namespace emulsion::verifier
