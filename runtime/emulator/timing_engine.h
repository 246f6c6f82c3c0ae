// The event engine: in-order queues, tokens, shared bandwidth. Integers only, one fixed order of events: deterministic.
//
//   CTL   each instruction, dispatches included, takes one cycle; a full queue stops it. A queue holds `queue_depth`
//         instructions that have not started.
//   unit  starts its queue's head when the unit is free and the waits are met; is taken for the occupancy, longer when
//         memories are overcommitted; completes `latency` later, in queue order, and only then signals.
#pragma once
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/timing_sharing.h"

#include <optional>

namespace emulsion::timing {

inline constexpr uint64_t never = UINT64_MAX;

class Engine {
public:
    Engine(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments,
           const TimingOptions &options);

    /// Raises EM516 on deadlock.
    TimingReport run();

private:
    struct Pending {  ///< dispatched, not started
        uint32_t pc = 0;
        uint64_t occupancy = 0, weight_load = 0, latency = 0;
        Demand demand;
    };
    struct Cost {
        Work work;
        Demand demand;
    };
    struct Completion {
        uint64_t time = 0;
        uint32_t pc = 0;
    };
    enum class State : uint8_t { idle, waiting, busy };
    struct Unit {
        std::vector<Pending> ring;  ///< queue_depth entries
        uint32_t head = 0, count = 0;
        bool active = false;
        Pending current;
        uint64_t started = 0, remaining = 0, speed = 0, since = 0;  ///< remaining: cycles in 1/2^20, as of `since`
        uint64_t last_end = never;                                  ///< of the last instruction that took time
        uint64_t last_completion = 0;
        std::vector<Completion> completions;  ///< that signal, by time; [next_completion, end) lie ahead
        size_t next_completion = 0;
        State state = State::idle;
        uint8_t wanted = no_token;  ///< waiting: the token
        uint64_t state_since = 0;
    };

    void fetch();
    void dispatch();
    const Cost &cost_of(const Dispatched &d);
    void account(const Work &work);
    uint64_t next_event() const;
    void process(uint64_t time);
    void complete(int q);
    void finish(int q);
    void start_heads();
    void start(int q);
    void share();
    uint8_t unmet(const Instruction &i) const;
    void enter(int q, State state, uint8_t token = no_token);
    bool finished() const;
    [[noreturn]] void raise_deadlock() const;
    TimingReport &close();

    const Program &program_;
    const TargetDesc &target_;
    const TimingOptions options_;
    CostModel model_;
    SharedBandwidth bandwidth_;
    ControlWalker walker_;

    uint64_t now_ = 0;
    bool more_ = false;  ///< next_ holds an instruction that CTL has not dispatched yet
    Dispatched next_;
    uint64_t dispatch_time_ = 0;  ///< when CTL is ready to dispatch next_
    int stalled_on_ = 0;          ///< queue that is full, 0: none
    uint64_t control_end_ = 0;

    std::array<Unit, queue_count> units_;
    std::array<uint64_t, queue_count> end_{}, completion_{};  ///< next times per queue
    bool running_changed_ = false;                            ///< an instruction started or ended: the shares are stale
    uint32_t dirty_ = 0;                                      ///< queues whose head may be able to start
    std::array<int64_t, 256> tokens_{};
    std::array<uint32_t, 256> waiters_{};             ///< queues that wait for the token, as bits
    std::array<uint8_t, 256> signaller_{};            ///< queue that gives it
    std::vector<std::optional<Cost>> constant_cost_;  ///< by pc
    std::vector<bool> is_constant_;
    Cost varying_cost_;
    Work total_;
    TimingReport report_;
};

}  // namespace emulsion::timing
