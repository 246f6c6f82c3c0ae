// The interpreter: queues, tokens and the choice of what runs next. One instruction is done at a time; which one, among those
// whose waits are met, is the oldest or a seeded random choice. A safe program gives the same bits under every choice.
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/memory.h"
#include "runtime/emulator/semantics.h"

#include <algorithm>
#include <deque>
#include <random>

namespace emulsion {
namespace {

class Interpreter {
public:
    Interpreter(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, std::span<const int64_t> arguments,
                const InterpreterOptions &options)
        : program_(program), options_(options), depth_(std::max<size_t>(1, target.queue_depth)),
          memory_(program, target, regions, options.sanitize, options.schedule_seed),
          control_(program, arguments, options.instruction_budget), random_(options.schedule_seed) {
        for (const TokenInit &t : program.tokens) tokens_.push_back(t.initial);
        tokens_.resize(std::max<size_t>(tokens_.size(), 256));
        fetch();
    }

    void run() {
        while (true) {
            const int choice = choose();
            if (choice < 0) break;
            if (choice == dispatch) {
                queues_[static_cast<int>(pending_.row->queue)].push_back(pending_);
                fetch();
            } else {
                execute(queues_[choice]);
            }
        }
        if (more_ || std::any_of(queues_.begin(), queues_.end(), [](const auto &q) { return !q.empty(); })) fail_deadlock();
    }

private:
    static constexpr int dispatch = queue_count;

    void fetch() { more_ = control_.next(pending_); }

    bool ready(const Dispatched &d) const {
        return std::all_of(d.insn->wait.begin(), d.insn->wait.end(), [&](uint8_t t) {
            const auto needed = std::count(d.insn->wait.begin(), d.insn->wait.end(), t);
            return t == no_token || tokens_[t] >= needed;
        });
    }

    int choose() {
        std::array<int, queue_count + 1> can{};
        int n = 0;
        for (int q = 0; q < queue_count; q++)
            if (!queues_[q].empty() && ready(queues_[q].front())) can[n++] = q;
        if (more_ && queues_[static_cast<int>(pending_.row->queue)].size() < depth_) can[n++] = dispatch;
        if (n == 0) return -1;
        if (options_.schedule_seed) return can[random_() % n];
        auto age = [&](int c) { return c == dispatch ? pending_.sequence : queues_[c].front().sequence; };
        return *std::min_element(can.begin(), can.begin() + n, [&](int a, int b) { return age(a) < age(b); });
    }

    void execute(std::deque<Dispatched> &queue) {
        const Dispatched d = std::move(queue.front());
        queue.pop_front();
        for (uint8_t t : d.insn->wait)
            if (t != no_token) tokens_[t]--;
        if (const Execute f = semantics_of(d.insn->op); f && !d.empty) f(d, memory_);
        for (uint8_t t : d.insn->signal)
            if (t != no_token) tokens_[t]++;
    }

    [[noreturn]] void fail_deadlock() const {
        std::string text;
        for (int q = 0; q < queue_count; q++) {
            if (queues_[q].empty()) continue;
            const Dispatched &d = queues_[q].front();
            for (uint8_t t : d.insn->wait)
                if (t != no_token && tokens_[t] == 0)
                    text += fmt::format("{}{} instruction {} (stage \"{}\") waits for token {}", text.empty() ? "" : "; ", queue_names[q], d.pc,
                                        place_of(program_, d.pc).stage, t);
        }
        raise(Diag::deadlock, {}, text.empty() ? std::string("control waits for a full queue") : text);
    }

    const Program &program_;
    const InterpreterOptions &options_;
    size_t depth_;
    Memory memory_;
    ControlWalker control_;
    std::mt19937_64 random_;
    std::array<std::deque<Dispatched>, queue_count> queues_;
    std::vector<int64_t> tokens_;
    Dispatched pending_;
    bool more_ = false;
};

}  // namespace

void interpret(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, std::span<const int64_t> arguments,
               const InterpreterOptions &options) {
    Interpreter(program, target, regions, arguments, options).run();
}

}  // namespace emulsion
