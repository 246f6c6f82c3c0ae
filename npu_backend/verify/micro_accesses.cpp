#include "npu_backend/verify/micro_accesses.h"

#include "npu_backend/verify/domain_points.h"

namespace emulsion::verifier {
namespace {

// Nothing when the index or predicate that the micro-op has depends on data.
std::optional<ControlledAccess> controlled(const MicroProgram &micro, ByteRange bytes, uint16_t index,
                                           uint16_t predicate) {
    ControlledAccess access{bytes, {}, {}};
    if (index != no_value && !(access.index = ControlValue::make(micro, index))) return {};
    if (predicate != no_value && !(access.predicate = ControlValue::make(micro, predicate))) return {};
    return access;
}

void add_load(PointAccesses &p, const MicroProgram &micro, const MicroOp &m, const Stream &s) {
    const ByteRange fixed{m.imm, m.imm + info(s.type).bytes}, window{s.window_lo, s.window_hi};
    auto access = m.a == no_value ? std::nullopt : controlled(micro, fixed, m.a, no_value);
    p.read.push_back(m.a == no_value ? fixed : window);
    if (access)
        p.loads.push_back(std::move(*access));
    else
        p.sure_read.push_back(p.read.back());
}

void add_store(PointAccesses &p, const MicroProgram &micro, const MicroOp &m, const Stream &s) {
    const ByteRange fixed{m.imm, m.imm + info(s.type).bytes}, window{s.window_lo, s.window_hi};
    if (m.b == no_value && m.c == no_value)
        p.written.push_back(fixed);
    else if (auto access = controlled(micro, fixed, m.b, m.c))
        p.stores.push_back(std::move(*access));
    else
        p.maybe.push_back(m.b == no_value ? fixed : window);
}

}  // namespace

std::vector<PointAccesses> point_accesses(const Program &program, const Instruction &insn) {
    std::vector<PointAccesses> result(insn.stream_count);
    const MicroProgram &micro = program.micro_programs[insn.extra];
    for (const MicroOp &m : micro) {
        if (m.op != MicroOpcode::load && m.op != MicroOpcode::store) continue;
        const Stream &s = program.streams[insn.stream + m.stream];
        (m.op == MicroOpcode::load ? add_load : add_store)(result[m.stream], micro, m, s);
    }
    for (PointAccesses &p : result)
        for (Runs *r : {&p.read, &p.written, &p.maybe, &p.sure_read}) make_canonical(*r);
    return result;
}

Runs visited(const Program &program, const Dispatched &op, const ResolvedStream &stream,
             const ControlledAccess &access) {
    ControlledAccess walk = access;
    Runs bytes;
    for_each_point(program, op, [&](const Index &index) {
        if (walk.predicate && !walk.predicate->at(index, op.registers)) return;
        const int64_t at = address_at(stream, op.rank, index) + (walk.index ? walk.index->at(index, op.registers) : 0);
        const ByteRange r{at + access.bytes.lo, at + access.bytes.hi};
        if (!bytes.empty() && bytes.back().hi == r.lo)
            bytes.back().hi = r.hi;
        else
            bytes.push_back(r);
    });
    make_canonical(bytes);
    return bytes;
}

}  // namespace emulsion::verifier
