#include "npu_backend/verify/token_counters.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {
constexpr int64_t counter_limit = 255;  // 8 bit
}

TokenCounters::TokenCounters(const Program &program) : program_(program), tokens_(program.tokens.size()) {
    for (size_t t = 0; t < tokens_.size(); t++) tokens_[t].initial = program.tokens[t].initial;
}

int64_t TokenCounters::value(size_t token) const {
    const Token &t = tokens_[token];
    return t.initial + static_cast<int64_t>(t.signals.size()) - static_cast<int64_t>(t.waits.size());
}

int TokenCounters::needed(const Instruction &insn, uint8_t token) const {
    return static_cast<int>(std::count(insn.wait.begin(), insn.wait.end(), token));
}

uint8_t TokenCounters::missing(const Instruction &insn) const {
    for (uint8_t t : insn.wait)
        if (t != no_token && value(t) < needed(insn, t)) return t;
    return no_token;
}

bool TokenCounters::ready(const Instruction &insn) const { return missing(insn) == no_token; }

void TokenCounters::take(const Instruction &insn, Access &access) {
    for (uint8_t k : insn.wait) {
        if (k == no_token) continue;
        Token &t = tokens_[k];
        const int64_t signal = static_cast<int64_t>(t.waits.size()) - t.initial;
        t.waiter = access.queue;
        t.waits.push_back(access.sequence);
        if (signal < 0) continue;  // taken from the initial count
        for (int q = 0; q < queue_count; q++) access.before[q] = std::max(access.before[q], t.signals[signal][q]);
    }
}

void TokenCounters::give(uint32_t pc, const Access &access) {
    Clock complete = access.before;
    complete[static_cast<int>(access.queue)] = access.sequence;
    for (uint8_t k : program_.code[pc].signal) {
        if (k == no_token) continue;
        Token &t = tokens_[k];
        t.signals.push_back(complete);
        while (t.known_waits < t.waits.size() && t.waits[t.known_waits] <= complete[static_cast<int>(t.waiter)])
            t.known_waits++;
        const int64_t most = t.initial + static_cast<int64_t>(t.signals.size()) - static_cast<int64_t>(t.known_waits);
        if (most > counter_limit) raise(Diag::verify_token_overflow, place_of(program_, pc), k, most, counter_limit);
    }
}

void TokenCounters::finish() const {
    for (size_t t = 0; t < tokens_.size(); t++) {
        const int64_t end = value(t);
        if (end != tokens_[t].initial) raise(Diag::verify_token_balance, {program_.name}, t, tokens_[t].initial, end);
    }
}

}  // namespace emulsion::verifier
