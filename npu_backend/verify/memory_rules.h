// Rules 1, 2, 7, 9, 10: every access of every started instruction against the shadow of its memory.
#pragma once
#include "npu_backend/verify/effects.h"
#include "npu_backend/verify/verify.h"

#include <optional>
#include <span>

namespace emulsion::verifier {

class MemoryRules {
public:
    MemoryRules(const Program &program, const TargetDesc &target, std::span<const RegionExtent> regions);

    /// Checks and records one instruction. Called in an order that respects happens-before. Raises EM4xx.
    void start(const Dispatched &op, const Access &access);

    /// Every output byte was written, and none between its elements. arguments: as given to verify().
    void finish(std::span<const int64_t> arguments) const;

private:
    /// One memory: its legal addresses, and its shadow unless it holds values from the start and is never written.
    struct Memory {
        std::string name;
        int64_t lo = 0, hi = 0;
        bool writable = true;
        std::optional<Shadow> shadow;
    };

    Memory make_region(const Region &region, const RegionExtent &given) const;
    Memory &memory_of(const ResolvedStream &stream);
    void check_bounds(uint32_t pc, const Effect &effect, const Memory &memory) const;
    void check_buffer(uint32_t pc, const Effect &effect, const ResolvedStream &stream) const;
    void read(const Dispatched &op, const Effect &effect, const Access &access);
    std::optional<ByteRange> read_too_early(const Dispatched &op, int operand, Runs unwritten);
    void write(const Dispatched &op, const Effect &effect, const Access &access);
    void check_copied_once(const Dispatched &op, const Effect &effect, const Runs &runs) const;
    [[noreturn]] void refuse(const Dispatched &op, const Effect &effect, const Access &access, const Conflict &conflict,
                             const Memory &memory) const;
    std::string buffer_at(const ResolvedStream &stream, int64_t address, uint32_t pc) const;

    const Program &program_;
    std::vector<RegionExtent> given_;  ///< as the caller said
    EffectBuilder builder_;
    Memory scratchpad_, accumulator_;
    std::vector<Memory> regions_;
    std::array<std::vector<uint32_t>, queue_count> started_;  ///< per queue, the pc of each sequence number
    std::vector<Effect> effects_;
};

}  // namespace emulsion::verifier
