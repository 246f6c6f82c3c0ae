#include "npu_backend/verify/queues.h"

#include <algorithm>

namespace emulsion::verifier {

Queues::Queues(const Program &program, uint32_t depth, Start start)
    : program_(program), depth_(std::max<uint32_t>(depth, 1)), start_(std::move(start)), tokens_(program) {}

void Queues::dispatch(const Dispatched &op) {
    const int queue = static_cast<int>(op.row->queue);
    State &s = queues_[queue];
    if (s.waiting.empty() && tokens_.ready(*op.insn)) return begin(queue, op);
    if (s.waiting.size() == depth_) drain();
    if (s.waiting.size() == depth_)
        deadlock(fmt::format("queue {} is full at depth {} before instruction {}", queue_names[queue], depth_,
                             describe(program_, op.pc)));
    s.waiting.push_back(op);
    while (step(queue)) {
    }
}

bool Queues::step(int queue) {
    State &s = queues_[queue];
    if (s.waiting.empty() || !tokens_.ready(*s.waiting.front().insn)) return false;
    begin(queue, s.waiting.front());
    s.waiting.pop_front();
    return true;
}

void Queues::begin(int queue, const Dispatched &op) {
    State &s = queues_[queue];
    Access access{static_cast<Queue>(queue), s.started + 1, s.before};
    access.before[queue] = s.started;
    tokens_.take(*op.insn, access);
    s.started++;
    s.before = access.before;
    start_(op, access);
    tokens_.give(op.pc, access);
}

void Queues::drain() {
    for (bool moved = true; moved;) {
        moved = false;
        for (int q = 0; q < queue_count; q++)
            while (step(q)) moved = true;
    }
}

void Queues::finish() {
    drain();
    for (const State &s : queues_)
        if (!s.waiting.empty()) deadlock("control has ended");
    tokens_.finish();
}

std::string Queues::signaller(uint8_t token) const {
    for (size_t pc = 0; pc < program_.code.size(); pc++) {
        const auto &signal = program_.code[pc].signal;
        if (std::find(signal.begin(), signal.end(), token) != signal.end())
            return describe(program_, static_cast<uint32_t>(pc));
    }
    return "nobody";
}

std::string Queues::blocked(int queue) const {
    const Dispatched &head = queues_[queue].waiting.front();
    const uint8_t token = tokens_.missing(*head.insn);
    return fmt::format("{}: {} waits for token {}, signalled by {}", queue_names[queue], describe(program_, head.pc),
                       token, signaller(token));
}

void Queues::deadlock(const std::string &reason) const {
    std::string graph;
    uint32_t first = 0;
    for (int q = 0; q < queue_count; q++) {
        if (queues_[q].waiting.empty()) continue;
        if (graph.empty()) first = queues_[q].waiting.front().pc;
        graph += (graph.empty() ? "" : "; ") + blocked(q);
    }
    raise(Diag::verify_deadlock, place_of(program_, first), reason, graph);
}

}  // namespace emulsion::verifier
