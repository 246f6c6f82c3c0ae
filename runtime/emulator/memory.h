// Machine memory of one run: scratchpad, accumulator, bound EXT regions; every access is checked before it is made.
#pragma once
#include "runtime/emulator/control.h"
#include "runtime/emulator/emulator.h"

#include <cstring>
#include <vector>

namespace emulsion {

/// One operand's memory: data[origin + offset] for lo <= offset < hi.
struct Window {
    uint8_t *data = nullptr;   ///< address of offset 0
    uint8_t *written = nullptr;///< shadow byte of offset 0: 1 where something was written; null without sanitizer
    int64_t lo = 0, hi = 0;
};

class Memory {
public:
    Memory(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, bool sanitize, uint64_t seed);

    /// The memory of operand k of `d`, after checking that all points of the domain, with the byte displacements
    /// [low, high] and `bytes` per element, stay inside. Raises EM514.
    Window window(const Dispatched &d, int k, int64_t low = 0, int64_t high = 0) const;
    const Program &program() const { return program_; }
    bool sanitizing() const { return sanitize_; }

private:
    Window space(const ResolvedStream &s) const;

    const Program &program_;
    std::span<const RegionMemory> regions_;
    bool sanitize_;
    mutable std::vector<uint8_t> spm_, acc_, spm_shadow_, acc_shadow_;
    mutable std::vector<std::vector<uint8_t>> region_shadow_;
    mutable std::vector<uint8_t> constants_;
};

/// Element access at a byte offset that window() has checked.
template<typename T>
T read(const Window &w, int64_t offset) {
    T v;
    std::memcpy(&v, w.data + offset, sizeof(T));
    return v;
}
template<typename T>
void write(const Window &w, int64_t offset, T v) {
    std::memcpy(w.data + offset, &v, sizeof(T));
    if (w.written) std::memset(w.written + offset, 1, sizeof(T));
}

/// Sanitizer: raises EM515 if a byte of [offset, offset + bytes) was never written.
void check_written(const Window &w, int64_t offset, int64_t bytes, const Dispatched &d, const Program &program, const char *what);

/// Calls f(offsets) for every point of `d`, index 0 innermost; offsets[k] is the byte offset of operand k.
template<typename F>
void for_each_point(const Dispatched &d, F f) {
    if (d.empty) return;
    std::array<int64_t, max_rank> i{};
    std::vector<int64_t> offset(d.stream.size());
    for (size_t k = 0; k < offset.size(); k++) offset[k] = d.stream[k].base;
    while (true) {
        f(i, offset);
        int dim = 0;
        for (; dim < d.rank; dim++) {
            for (size_t k = 0; k < offset.size(); k++) offset[k] += d.stream[k].stride[dim];
            if (++i[dim] < d.extent[dim]) break;
            for (size_t k = 0; k < offset.size(); k++) offset[k] -= d.stream[k].stride[dim] * d.extent[dim];
            i[dim] = 0;
        }
        if (dim == d.rank) return;
    }
}

}  // namespace emulsion
