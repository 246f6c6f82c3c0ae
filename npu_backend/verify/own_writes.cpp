#include "npu_backend/verify/own_writes.h"

#include "npu_backend/verify/domain_points.h"
#include "npu_backend/verify/instruction_rules.h"
#include "npu_backend/verify/predicate.h"

#include <algorithm>
#include <map>

namespace emulsion::verifier {
namespace {

/// Bytes still without a value, inside the hull of a set of runs.
class PendingBytes {
public:
    explicit PendingBytes(const Runs &runs) : lo_(runs.front().lo), pending_(runs.back().hi - lo_, false) {
        for (const ByteRange &r : runs) std::fill(pending_.begin() + (r.lo - lo_), pending_.begin() + (r.hi - lo_), true);
    }
    std::optional<ByteRange> first_in(const ByteRange &r) const {
        for (int64_t at = begin(r); at < end(r); at++)
            if (pending_[at - lo_]) return ByteRange{at, at + 1};
        return {};
    }
    void fill(const ByteRange &r) {
        for (int64_t at = begin(r); at < end(r); at++) pending_[at - lo_] = false;
    }

private:
    int64_t begin(const ByteRange &r) const { return std::max(r.lo, lo_); }
    int64_t end(const ByteRange &r) const { return std::min(r.hi, lo_ + static_cast<int64_t>(pending_.size())); }

    int64_t lo_;
    std::vector<bool> pending_;
};

class PointWalk {
public:
    PointWalk(const Program &program, const Dispatched &op, Space space, const Runs &unwritten)
        : op_(op), micro_(program.micro_programs[program.code[op.pc].extra]), space_(space),
          pending_(unwritten) {
        for (size_t k = 0; k < micro_.size(); k++)
            if (micro_[k].op == MicroOpcode::store && micro_[k].c != no_value) predicates_[k] = Predicate::make(micro_, micro_[k].c);
    }

    std::optional<ByteRange> visit(const Index &index) {
        for (size_t k = 0; k < micro_.size(); k++) {
            const MicroOp &m = micro_[k];
            if (m.op != MicroOpcode::load && m.op != MicroOpcode::store) continue;
            const ResolvedStream &o = op_.stream[m.stream];
            if (o.space != space_) continue;
            const int64_t at = address_at(o, op_.rank, index);
            if (m.op == MicroOpcode::store) store(k, at, o, index);
            else if (auto early = pending_.first_in(loaded(m, at, o))) return early;
        }
        return {};
    }

private:
    static ByteRange fixed(const MicroOp &m, int64_t at, const ResolvedStream &s) { return {at + m.imm, at + m.imm + info(s.type).bytes}; }
    static ByteRange loaded(const MicroOp &m, int64_t at, const ResolvedStream &o) {
        return m.a == no_value ? fixed(m, at, o) : ByteRange{at + o.window_lo, at + o.window_hi};
    }
    void store(size_t k, int64_t at, const ResolvedStream &s, const Index &index) {
        const MicroOp &m = micro_[k];
        if (m.b != no_value) return;
        if (m.c != no_value && !(predicates_[k] && predicates_[k]->holds(index, op_.registers))) return;
        pending_.fill(fixed(m, at, s));
    }

    const Dispatched &op_;
    const MicroProgram &micro_;
    Space space_;
    PendingBytes pending_;
    std::map<size_t, std::optional<Predicate>> predicates_;
};

bool writes(const std::vector<PointAccesses> &accesses, const Dispatched &op, Space space) {
    for (size_t k = 0; k < accesses.size(); k++)
        if (op.stream[k].space == space && (!accesses[k].written.empty() || !accesses[k].controlled.empty())) return true;
    return false;
}

}  // namespace

std::optional<ByteRange> read_before_own_write(const Program &program, const Dispatched &op,
                                         const std::vector<PointAccesses> &accesses, Space space, const Runs &unwritten) {
    if (!writes(accesses, op, space)) return unwritten.front();
    PointWalk walk(program, op, space, unwritten);
    std::optional<ByteRange> early;
    for_each_point(program, op, [&](const Index &index) {
        if (!early) early = walk.visit(index);
    });
    return early;
}

}  // namespace emulsion::verifier
