// Replays the control unit: loops, branches and scalar arithmetic for given kernel arguments. No data is needed, so the
// interpreter, the timing model and the verifier all walk a program through this one class.
#pragma once
#include "runtime/diag/diag.h"
#include "runtime/program/program.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace emulsion {

struct ResolvedStream {
    Space space{};
    uint8_t region = 0;
    ElementType type{};
    int64_t base = 0;
    std::array<int64_t, max_rank> stride{};
    int64_t window_lo = 0, window_hi = 0;
};

struct ResolvedFill {
    FillMode mode{};
    uint64_t value = 0;
    std::array<bool, max_rank> boxed{};
    std::array<int64_t, max_rank> origin{}, lo{}, hi{};
};

/// One dispatched instruction with all scalars sampled.
struct Dispatched {
    uint32_t pc = 0;
    const Instruction *insn = nullptr;
    const InstructionInfo *row = nullptr;
    uint64_t sequence = 0;       ///< 0, 1, 2, … in dispatch order
    uint64_t control_cycles = 0; ///< CTL instructions executed since the previous dispatch
    uint8_t rank = 1;
    std::array<int64_t, max_rank> extent{1, 1, 1, 1, 1, 1};
    std::array<Role, max_rank> role{};
    bool empty = false;          ///< some extent is <= 0
    bool overwrite = false;      ///< contract: this dispatch overwrites
    std::vector<ResolvedStream> stream;
    bool has_fill = false;
    ResolvedFill fill;
    const MicroProgram *micro = nullptr;
    std::array<int64_t, register_count> registers{};

    uint64_t points() const;     ///< product of the extents, 0 when empty
};

class ControlWalker {
public:
    /// Raises EM5xx for programs that no loader would pass: bad table indices, unbalanced loops.
    ControlWalker(const Program &program, std::span<const int64_t> arguments,
                  uint64_t instruction_budget = 1ull << 32);

    /// The next tile or sync instruction into `out` (its buffers are reused); false at halt. Raises EM5xx on arithmetic
    /// overflow and when the budget is spent.
    bool next(Dispatched &out);

    uint64_t control_instructions() const { return executed_; }
    uint64_t trailing_cycles() const { return since_dispatch_; }  ///< CTL instructions after the last dispatch

private:
    struct Loop { uint32_t start; uint8_t counter; int64_t count, turn; };

    void step(const Instruction &i);
    void begin_loop(const Instruction &i);
    void end_loop();
    void resolve(const Instruction &i, Dispatched &out);
    int64_t value(const Scalar &s) const;
    int64_t operand_b(const Instruction &i) const { return i.rb == no_register ? i.imm : registers_[i.rb]; }
    Place place() const;

    const Program &program_;
    std::span<const int64_t> arguments_;
    uint64_t budget_, executed_ = 0, since_dispatch_ = 0, sequence_ = 0;
    uint32_t pc_ = 0;
    std::array<int64_t, register_count> registers_{};
    std::vector<Loop> loops_;
    std::vector<const InstructionInfo *> rows_;  ///< per pc
    std::vector<uint32_t> loop_end_;             ///< per pc of a loop: pc of its endloop
};

/// The place of instruction `pc` by the program's debug map.
Place place_of(const Program &program, uint32_t pc);

}  // namespace emulsion
