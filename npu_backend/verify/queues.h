// Runs the queues of the machine without data: finite depth, in order, blocked by tokens. The order in which
// instructions start here is one of many; since a token has one signalling and one waiting queue, which instruction
// precedes which, and whether any timing deadlocks, is the same in all of them.
#pragma once
#include "npu_backend/verify/token_counters.h"

#include <deque>
#include <functional>

namespace emulsion::verifier {

class Queues {
public:
    using Start = std::function<void(const Dispatched &, const Access &)>;

    /// start: called for each instruction when it starts, predecessors first.
    Queues(const Program &program, uint32_t depth, Start start);

    /// Raises EM4xx when the instruction's queue is full and no queue can move.
    void dispatch(const Dispatched &op);

    /// Lets everything drain. Raises EM4xx when it cannot, or when a token counter does not end where it began.
    void finish();

private:
    struct State {
        std::deque<Dispatched> waiting;
        uint32_t started = 0;
        Clock before{};  ///< of the last started instruction
    };

    bool step(int queue);
    void begin(int queue, const Dispatched &op);
    void drain();
    [[noreturn]] void deadlock(const std::string &reason) const;
    std::string blocked(int queue) const;
    std::string signaller(uint8_t token) const;

    const Program &program_;
    size_t depth_;
    Start start_;
    TokenCounters tokens_;
    std::array<State, queue_count> queues_;
};

}  // namespace emulsion::verifier
