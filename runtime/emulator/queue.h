// A unit's queue: dispatched instructions in order, finite depth. Slots are reused, so that dispatch does not allocate.
#pragma once
#include "runtime/emulator/control.h"

#include <array>
#include <utility>
#include <vector>

namespace emulsion {

class DispatchQueue {
public:
    explicit DispatchQueue(size_t depth = 1) : slots_(depth) {}

    bool empty() const { return size_ == 0; }
    bool full() const { return size_ == slots_.size(); }
    const Dispatched &front() const { return slots_[first_]; }

    /// Takes `d` and leaves the buffers of an old slot in it. The queue is not full.
    void push(Dispatched &d) { std::swap(slots_[(first_ + size_++) % slots_.size()], d); }
    void pop() { first_ = (first_ + 1) % slots_.size(), size_--; }

private:
    std::vector<Dispatched> slots_;
    size_t first_ = 0, size_ = 0;
};

using Queues = std::array<DispatchQueue, queue_count>;

/// Token counters by token number; the last is no_token's and unused.
using Tokens = std::array<int64_t, 256>;

/// The first token that `insn` waits for and that is not there; no_token: it may start.
inline uint8_t missing_token(const Instruction &insn, const Tokens &tokens) {
    const auto [first, second] = insn.wait;
    if (first != no_token && tokens[first] < 1 + (first == second)) return first;
    return second != no_token && tokens[second] < 1 ? second : no_token;
}

}  // namespace emulsion
