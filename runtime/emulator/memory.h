// Machine memory of one run: scratchpad, accumulator, bound EXT regions. Operands are checked before they are touched.
#pragma once
#include "runtime/emulator/control.h"
#include "runtime/emulator/emulator.h"

#include <cstring>
#include <vector>

namespace emulsion {

/// One operand's memory: offsets lo <= offset < hi.
struct Window {
    uint8_t *data = nullptr;     ///< address of offset 0
    uint8_t *written = nullptr;  ///< shadow byte of offset 0: 1 where something was written; null without sanitizer
    int64_t lo = 0, hi = 0;
};

enum class Touch : uint8_t { read, write };

class Memory {
public:
    /// Scratchpad and accumulator start with a pattern that depends on `seed`, so that a result which depends on bytes
    /// nobody wrote differs from run to run. Raises EM510 for missing regions.
    Memory(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, bool sanitize, uint64_t seed);

    /// The memory of operand k of `d`, after checking that the elements at all points of the domain, displaced by `low` to
    /// `high` bytes, lie inside; and the operand's window for data-indexed accesses too, when `indexed`. Raises EM514;
    /// EM519 for writes to inputs and constants.
    Window window(const Dispatched &d, size_t k, Touch touch, int64_t low = 0, int64_t high = 0, bool indexed = false);

    /// The same for bytes [first, end), however the operand reaches them.
    Window window_between(const Dispatched &d, size_t k, Touch touch, __int128 first, __int128 end);

    /// Sanitizer. Raises EM515 if one of `count` runs of `bytes` bytes, `step` apart, holds a byte that was never written.
    void require_written(const Dispatched &d, size_t k, int64_t first, int64_t step, int64_t count, int64_t bytes) const;

    /// Sanitizer: the same for all elements of operand k over the domain. Nothing without sanitizer.
    void require_written(const Dispatched &d, size_t k) const;

    [[noreturn]] void fail_range(const Dispatched &d, size_t k, int64_t first, int64_t end, int64_t lo, int64_t hi) const;

    const Program &program() const { return program_; }
    bool sanitizing() const { return sanitize_; }

private:
    /// Bytes and their shadow, offset 0 at `origin`.
    struct Bank {
        std::span<uint8_t> bytes;
        int64_t origin = 0;
        std::vector<uint8_t> shadow{};
    };
    Bank &bank(const ResolvedStream &s);
    const Bank &bank(const ResolvedStream &s) const { return const_cast<Memory *>(this)->bank(s); }
    void add_region(const Region &region, const RegionMemory &memory);
    std::string name(const ResolvedStream &s) const;

    const Program &program_;
    bool sanitize_;
    std::vector<uint8_t> scratchpad_, accumulator_, constants_;
    std::vector<Bank> banks_;  ///< by Space, then one per region
};

/// Element access at a byte offset that window() has checked. Any alignment.
template<typename T>
T read(const Window &w, int64_t offset) {
    T v;
    std::memcpy(&v, w.data + offset, sizeof v);
    return v;
}
template<typename T>
void write(const Window &w, int64_t offset, T v) {
    std::memcpy(w.data + offset, &v, sizeof v);
    if (w.written) std::memset(w.written + offset, 1, sizeof v);
}

/// Sanitizer: `count` runs of `bytes` bytes, `step` apart, hold values now.
void mark_written(const Window &w, int64_t first, int64_t step, int64_t count, int64_t bytes);

/// Calls f(index, offset) for every point of `d`, index 0 innermost; offset[k] is the byte offset of operand k.
template<typename F>
void for_each_point(const Dispatched &d, F f) {
    if (d.empty) return;
    std::array<int64_t, max_rank> index{};
    std::vector<int64_t> offset(d.stream.size());
    for (size_t k = 0; k < offset.size(); k++) offset[k] = d.stream[k].base;
    while (true) {
        f(std::as_const(index), std::as_const(offset));
        int dim = 0;
        for (; dim < d.rank; dim++) {
            for (size_t k = 0; k < offset.size(); k++) offset[k] += d.stream[k].stride[dim];
            if (++index[dim] < d.extent[dim]) break;
            for (size_t k = 0; k < offset.size(); k++) offset[k] -= d.stream[k].stride[dim] * d.extent[dim];
            index[dim] = 0;
        }
        if (dim == d.rank) return;
    }
}

/// Calls f(first, step, count) for runs of elements that together are operand k over the domain; elements that the domain
/// visits again and again, because a stride is 0, come once.
template<typename F>
void for_each_run(const Dispatched &d, size_t k, F f) {
    if (d.empty) return;
    const ResolvedStream &s = d.stream[k];
    std::array<int, max_rank> dims{};
    int n = 0;
    for (int dim = 0; dim < d.rank; dim++)
        if (s.stride[dim] != 0 && d.extent[dim] > 1) dims[n++] = dim;
    if (n == 0) return f(s.base, int64_t{0}, int64_t{1});
    std::array<int64_t, max_rank> index{};
    int64_t first = s.base;
    while (true) {
        f(first, s.stride[dims[0]], d.extent[dims[0]]);
        int j = 1;
        for (; j < n; j++) {
            first += s.stride[dims[j]];
            if (++index[j] < d.extent[dims[j]]) break;
            first -= s.stride[dims[j]] * d.extent[dims[j]];
            index[j] = 0;
        }
        if (j >= n) return;
    }
}

/// The bytes operand k touches over the whole domain, displaced by [low, high]: [first, end). Exact, so it may exceed int64.
struct Reach {
    __int128 first = 0, end = 0;
};
Reach reach_of(const Dispatched &d, size_t k, int64_t low = 0, int64_t high = 0);
/// The same for the windows of data-indexed accesses, one around each point's address.
Reach reach_of_window(const Dispatched &d, size_t k);

}  // namespace emulsion
