// The interpreter: queues, tokens, and the choice of what runs next. One instruction runs at a time; which one, among those
// whose waits are met, is the oldest or a seeded random choice. A safe program gives the same bits under every choice.
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/memory.h"
#include "runtime/emulator/queue.h"
#include "runtime/emulator/semantics.h"
#include "runtime/emulator/wait_graph.h"

#include <algorithm>
#include <random>

namespace emulsion {
namespace {

class Interpreter {
public:
    Interpreter(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, std::span<const int64_t> arguments,
                const InterpreterOptions &options)
        : program_(program), random_choice_(options.schedule_seed != 0),
          memory_(program, target, regions, options.sanitize, options.schedule_seed),
          control_(program, arguments, options.instruction_budget), random_(options.schedule_seed) {
        for (DispatchQueue &q : queues_) q = DispatchQueue(std::max<size_t>(1, target.queue_depth));
        for (size_t t = 0; t < program.tokens.size() && t < tokens_.size(); t++) tokens_[t] = program.tokens[t].initial;
        fetch();
    }

    void run() {
        for (int choice = choose(); choice != nothing; choice = choose()) {
            if (choice == dispatch) queue_of(pending_).push(pending_), fetch();
            else execute(queues_[choice]);
        }
        const bool drained = std::all_of(queues_.begin(), queues_.end(), [](const DispatchQueue &q) { return q.empty(); });
        if (more_ || !drained) fail_deadlock(program_, queues_, tokens_, more_ ? &pending_ : nullptr);
    }

private:
    static constexpr int dispatch = queue_count, nothing = -1;

    void fetch() { more_ = control_.next(pending_); }
    DispatchQueue &queue_of(const Dispatched &d) { return queues_[static_cast<int>(d.row->queue)]; }

    /// A queue whose head may start, `dispatch`, or `nothing`.
    int choose() {
        std::array<int, queue_count + 1> can{};
        int n = 0;
        for (int q = 0; q < queue_count; q++)
            if (!queues_[q].empty() && missing_token(*queues_[q].front().insn, tokens_) == no_token) can[n++] = q;
        if (more_ && !queue_of(pending_).full()) can[n++] = dispatch;
        if (n == 0) return nothing;
        if (random_choice_) return can[random_() % n];
        const auto age = [&](int c) { return c == dispatch ? pending_.sequence : queues_[c].front().sequence; };
        return *std::min_element(can.begin(), can.begin() + n, [&](int a, int b) { return age(a) < age(b); });
    }

    void execute(DispatchQueue &queue) {
        const Dispatched &d = queue.front();
        for (uint8_t t : d.insn->wait)
            if (t != no_token) tokens_[t]--;
        if (const Execute f = semantics_of(d.insn->op); f && !d.empty) f(d, memory_);
        for (uint8_t t : d.insn->signal)
            if (t != no_token) tokens_[t]++;
        queue.pop();
    }

    const Program &program_;
    const bool random_choice_;
    Memory memory_;
    ControlWalker control_;
    std::mt19937_64 random_;
    Queues queues_;
    Tokens tokens_{};
    Dispatched pending_;
    bool more_ = false;
};

}  // namespace

void interpret(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, std::span<const int64_t> arguments,
               const InterpreterOptions &options) {
    Interpreter(program, target, regions, arguments, options).run();
}

}  // namespace emulsion
