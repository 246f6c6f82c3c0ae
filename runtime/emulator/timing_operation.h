// A dispatched tile instruction, as far as timing cares: extents and strides, no addresses.
#pragma once
#include "runtime/emulator/control.h"
#include "runtime/emulator/timing_count.h"

namespace emulsion::timing {

/// A view of `dispatched`, which must outlive it.
class Operation {
public:
    explicit Operation(const Dispatched &dispatched) : dispatched_(dispatched) {}

    int rank() const { return dispatched_.rank; }
    uint64_t extent(int d) const { return std::min(static_cast<uint64_t>(dispatched_.extent[d]), count_limit); }
    Role role(int d) const { return dispatched_.role[d]; }
    const Instruction &instruction() const { return *dispatched_.insn; }
    const ResolvedStream &stream(int k) const { return dispatched_.stream[k]; }
    uint64_t stride_magnitude(int k, int d) const;  ///< bytes, the sign dropped
    uint64_t element_bytes(int k) const { return info(stream(k).type).bytes; }

    uint64_t points() const;
    /// Product of the extents of one role.
    uint64_t points(Role role) const;
    /// Points that differ in stream k: a stride of 0 is a broadcast, which is read once.
    uint64_t distinct_points(int k) const;
    /// Extent of dimension d inside the boundary box: what is really read. Without a fill: the extent.
    uint64_t extent_in_box(int d) const;

private:
    const Dispatched &dispatched_;
};

/// Does no extent, stride or box of the instruction depend on a register? Then every dispatch costs the same.
bool is_constant(const Program &program, const Instruction &instruction);

}  // namespace emulsion::timing
