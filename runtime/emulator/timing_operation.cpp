#include "runtime/emulator/timing_operation.h"

namespace emulsion::timing {
namespace {

bool constant(std::span<const Scalar> scalars) {
    return std::all_of(scalars.begin(), scalars.end(), [](const Scalar &s) { return s.reg == no_register; });
}

}  // namespace

uint64_t Operation::stride_magnitude(int k, int d) const {
    const int64_t s = stream(k).stride[d];
    return s < 0 ? -static_cast<uint64_t>(s) : static_cast<uint64_t>(s);
}

uint64_t Operation::points() const {
    uint64_t n = 1;
    for (int d = 0; d < rank(); d++) n = times(n, extent(d));
    return n;
}

uint64_t Operation::points(Role wanted) const {
    uint64_t n = 1;
    for (int d = 0; d < rank(); d++)
        if (role(d) == wanted) n = times(n, extent(d));
    return n;
}

uint64_t Operation::distinct_points(int k) const {
    uint64_t n = 1;
    for (int d = 0; d < rank(); d++)
        if (stride_magnitude(k, d) != 0) n = times(n, extent(d));
    return n;
}

uint64_t Operation::extent_in_box(int d) const {
    const ResolvedFill &fill = dispatched_.fill;
    if (!dispatched_.has_fill || !fill.boxed[d]) return extent(d);
    const __int128 origin = fill.origin[d];
    const __int128 first = std::max<__int128>(origin, fill.lo[d]);
    const __int128 last = std::min<__int128>(origin + extent(d), fill.hi[d]);
    // The other modes map what lies outside to elements inside, so they read at least one.
    const uint64_t least = fill.mode == FillMode::constant ? 0 : 1;
    return last <= first ? least : static_cast<uint64_t>(last - first);
}

bool is_constant(const Program &program, const Instruction &i) {
    bool result = constant(program.domains[i.domain].extent);
    for (int k = 0; k < i.stream_count; k++) result = result && constant(program.streams[i.stream + k].stride);
    if (i.extra == no_extra || (i.op != Opcode::op_load && i.op != Opcode::op_copy)) return result;
    const Fill &fill = program.fills[i.extra];
    return result && constant(fill.origin) && constant(fill.lo) && constant(fill.hi);
}

}  // namespace emulsion::timing
