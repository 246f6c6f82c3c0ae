// Work of single tile operations by the emulator's own unit formulae, without a compiled program.
#pragma once
#include "runtime/emulator/timing_work.h"

#include <span>

namespace emulsion::explore {

/// One dimension of an operation: extent, stride in external memory [bytes; loads and stores], and role (contractions).
struct OpDimension {
    int64_t extent = 1, ext_stride = 0;
    Role role = Role::streamed;
    /// Loads through a boundary: first source coordinate and the source's extent; source 0: not bounded.
    int64_t origin = 0, source = 0;
};

class UnitCosts {
public:
    explicit UnitCosts(const TargetDesc &target);

    /// Transfers of elements of `type`.
    timing::Work load(std::span<const OpDimension> dimensions, ElementType type);
    timing::Work store(std::span<const OpDimension> dimensions, ElementType type);
    timing::Work contract(std::span<const OpDimension> dimensions, ElementType in, ElementType weights);
    timing::Work clear(int64_t points);
    /// Output unit: accumulators in, results of `type` out; what it reads besides is left out.
    timing::Work drain(int64_t points, ElementType type);
    /// Vector unit: at least one operation and one result of `type` per point.
    timing::Work run(int64_t points, ElementType type);

private:
    Dispatched &prepare(size_t instruction, std::span<const OpDimension> dimensions);
    timing::Work transfer(size_t instruction, std::span<const OpDimension> dimensions, ElementType type, int external);

    Program program_;
    const TargetDesc &target_;
    std::unique_ptr<timing::CostModel> model_;
    Dispatched dispatched_;
};

}  // namespace emulsion::explore
