#include "runtime/emulator/micro_ops/blocking.h"

#include "runtime/emulator/memory.h"
#include "runtime/emulator/micro_ops/lanes.h"

#include <algorithm>
#include <cstdlib>

namespace emulsion::micro {
namespace {

bool same_memory(const ResolvedStream &a, const ResolvedStream &b) {
    return a.space == b.space && (a.space != Space::ext || a.region == b.region);
}

bool same_strides(const Dispatched &d, const ResolvedStream &a, const ResolvedStream &b) {
    for (int dim = 0; dim < d.rank; dim++)
        if (a.stride[dim] != b.stride[dim] && d.extent[dim] > 1) return false;
    return true;
}

/// A stream may have fixed and data-indexed accesses at once.
Reach reach(const Dispatched &d, size_t k, const StreamUse &u) {
    if (!u.indexed) return reach_of(d, k, u.low, u.high);
    const Reach window = reach_of_window(d, k);
    if (!u.fixed) return window;
    const Reach fixed = reach_of(d, k, u.low, u.high);
    return {std::min(window.first, fixed.first), std::max(window.end, fixed.end)};
}

/// Bytes that one point touches around an operand that is written.
struct Footprint {
    const ResolvedStream *stream;
    int64_t bytes;
};

/// One footprint per stream that is written, joined with what moves along and overlaps. False: nothing may be reordered.
bool footprints(const Dispatched &d, const std::vector<StreamUse> &uses, std::vector<Footprint> &out) {
    for (size_t w = 0; w < uses.size(); w++) {
        if (!uses[w].stores) continue;
        if (uses[w].indexed) return false;
        const Reach wide = reach(d, w, uses[w]);
        int64_t low = uses[w].low, high = uses[w].high;
        for (size_t r = 0; r < uses.size(); r++) {
            if (r == w || !uses[r].used() || !same_memory(d.stream[r], d.stream[w])) continue;
            const Reach other = reach(d, r, uses[r]);
            if (other.end <= wide.first || wide.end <= other.first) continue;
            if (uses[r].indexed || !same_strides(d, d.stream[r], d.stream[w])) return false;
            const int64_t shift = d.stream[r].base - d.stream[w].base, bytes = info(d.stream[r].type).bytes - info(d.stream[w].type).bytes;
            low = std::min(low, uses[r].low + shift);
            high = std::max(high, uses[r].high + shift + bytes);
        }
        out.push_back({&d.stream[w], high - low + info(d.stream[w].type).bytes});
    }
    return true;
}

}  // namespace

// Sorted by stride, what lies below `inner` must fit into one step of it, and each step above must clear all below: then
// the index `inner` can be read off the address.
bool address_tells(const Dispatched &d, const ResolvedStream &s, int64_t bytes, int inner) {
    std::array<int, max_rank> dims{};
    int n = 0;
    for (int dim = 0; dim < d.rank; dim++)
        if (s.stride[dim] != 0 && d.extent[dim] > 1) dims[n++] = dim;
    const auto stride = [&](int dim) { return std::abs(s.stride[dim]); };
    std::sort(dims.begin(), dims.begin() + n, [&](int a, int b) { return stride(a) != stride(b) ? stride(a) < stride(b) : a < b; });
    __int128 covered = bytes;
    bool above = false;
    for (int k = 0; k < n; k++) {
        above |= dims[k] == inner;
        if (above && stride(dims[k]) < covered) return false;
        covered += static_cast<__int128>(stride(dims[k])) * (d.extent[dims[k]] - 1);
    }
    return above;
}

std::vector<StreamUse> uses_of(const Dispatched &d) {
    std::vector<StreamUse> uses(d.stream.size());
    for (const MicroOp &op : *d.micro) {
        const bool load = op.op == MicroOpcode::load;
        if (!load && op.op != MicroOpcode::store) continue;
        StreamUse &u = uses[op.stream];
        (load ? u.loads : u.stores) = true;
        if ((load ? op.a : op.b) != no_value) {
            u.indexed = true;
            continue;
        }
        u.low = u.fixed ? std::min(u.low, op.imm) : op.imm;
        u.high = u.fixed ? std::max(u.high, op.imm) : op.imm;
        u.fixed = true;
    }
    return uses;
}

Blocking blocking_of(const Dispatched &d, const std::vector<StreamUse> &uses) {
    std::vector<Footprint> written;
    if (!footprints(d, uses, written)) return {};
    Blocking best;
    for (int dim = 0; dim < d.rank; dim++) {
        const auto lanes = static_cast<int>(std::min<int64_t>(d.extent[dim], block_lanes));
        const bool legal = std::all_of(written.begin(), written.end(), [&](const Footprint &f) { return address_tells(d, *f.stream, f.bytes, dim); });
        // Index 0 is dense as a rule; another one must make blocks clearly longer.
        if (legal && lanes > (best.lanes == 1 ? 1 : 4 * best.lanes)) best = {dim, lanes};
    }
    return best;
}

}  // namespace emulsion::micro
