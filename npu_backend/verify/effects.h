// The bytes one dispatched instruction reads and writes, operand by operand.
#pragma once
#include "npu_backend/verify/micro_accesses.h"
#include "npu_backend/verify/operation.h"
#include "npu_backend/verify/shadow.h"

namespace emulsion::verifier {

struct Effect {
    int operand = 0;
    bool write = false;
    Certainty certainty = Certainty::always;  ///< of a write
    std::vector<Lattice> parts;               ///< their union

    ByteRange hull() const;
    Runs runs() const;
};

class EffectBuilder {
public:
    explicit EffectBuilder(const Program &program) : program_(program), micro_(program.code.size()) {}

    /// Reads before writes. Raises EM4xx for addresses beyond 64 bits and for boxes without elements.
    void build(const Dispatched &op, std::vector<Effect> &out);

    /// What operand `operand` of a run or drain reads, with indices that need no data evaluated at every point: never
    /// more than its effect says.
    Runs exact_read(const Dispatched &op, int operand);

    /// Accesses of one point of a run or drain, per stream.
    const std::vector<PointAccesses> &point_accesses_of(uint32_t pc);

private:
    void build_plain(const Dispatched &op, std::vector<Effect> &out) const;
    void build_micro(const Dispatched &op, std::vector<Effect> &out);
    Effect controlled(const Dispatched &op, int operand, const ControlledAccess &store) const;
    void add(const Dispatched &op, Effect effect, Runs pattern, std::vector<Effect> &out) const;
    Effect through_box(const Dispatched &op, int operand) const;

    const Program &program_;
    std::vector<std::vector<PointAccesses>> micro_;
};

}  // namespace emulsion::verifier
