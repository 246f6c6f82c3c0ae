#include "npu_backend/verify/own_writes.h"

#include "npu_backend/verify/domain_points.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

/// Bytes still without a value, inside the hull of a set of runs.
class PendingBytes {
public:
    explicit PendingBytes(const Runs &runs) : lo_(runs.front().lo), pending_(runs.back().hi - lo_, false) {
        for (const ByteRange &r : runs)
            std::fill(pending_.begin() + (r.lo - lo_), pending_.begin() + (r.hi - lo_), true);
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
    PointWalk(const Dispatched &op, Space space, const Runs &unwritten) : op_(op), space_(space), pending_(unwritten) {
        for (const MicroOp &m : *op.micro) {
            const bool store = m.op == MicroOpcode::store;
            if ((!store && m.op != MicroOpcode::load) || op.stream[m.stream].space != space_) continue;
            steps_.push_back({&m, store, value(store ? m.b : m.a), store ? value(m.c) : std::nullopt});
        }
    }

    std::optional<ByteRange> visit(const Index &index) {
        for (AccessStep &s : steps_) {
            if (s.store)
                store(s, index);
            else if (auto early = pending_.first_in(loaded(s, index)))
                return early;
        }
        return {};
    }

private:
    struct AccessStep {
        const MicroOp *micro;
        bool store;
        std::optional<ControlValue> index, predicate;  ///< none: absent, or dependent on data
    };

    std::optional<ControlValue> value(uint16_t v) const {
        return v == no_value ? std::nullopt : ControlValue::make(*op_.micro, v);
    }

    ByteRange fixed(AccessStep &s, const Index &index) const {
        const ResolvedStream &stream = op_.stream[s.micro->stream];
        const int64_t at =
            address_at(stream, op_.rank, index) + s.micro->imm + (s.index ? s.index->at(index, op_.registers) : 0);
        return {at, at + info(stream.type).bytes};
    }

    ByteRange loaded(AccessStep &s, const Index &index) const {
        if (s.micro->a == no_value || s.index) return fixed(s, index);
        const ResolvedStream &stream = op_.stream[s.micro->stream];
        const int64_t at = address_at(stream, op_.rank, index);
        return {at + stream.window_lo, at + stream.window_hi};
    }

    void store(AccessStep &s, const Index &index) {
        const bool known = (s.micro->b == no_value || s.index) && (s.micro->c == no_value || s.predicate);
        if (known && (!s.predicate || s.predicate->at(index, op_.registers))) pending_.fill(fixed(s, index));
    }

    const Dispatched &op_;
    Space space_;
    PendingBytes pending_;
    std::vector<AccessStep> steps_;
};

bool writes(const std::vector<PointAccesses> &accesses, const Dispatched &op, Space space) {
    for (size_t k = 0; k < accesses.size(); k++)
        if (op.stream[k].space == space && (!accesses[k].written.empty() || !accesses[k].stores.empty())) return true;
    return false;
}

}  // namespace

std::optional<ByteRange> read_before_own_write(const Program &program, const Dispatched &op,
                                               const std::vector<PointAccesses> &accesses, Space space,
                                               const Runs &unwritten) {
    if (!writes(accesses, op, space)) return unwritten.front();
    PointWalk walk(op, space, unwritten);
    std::optional<ByteRange> early;
    for_each_point(program, op, [&](const Index &index) {
        if (!early) early = walk.visit(index);
    });
    return early;
}

}  // namespace emulsion::verifier
