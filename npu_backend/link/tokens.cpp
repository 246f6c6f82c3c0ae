#include "npu_backend/link/tokens.h"

#include "runtime/diag/diag.h"

namespace emulsion {

namespace {
constexpr int between_units = 2;
}

uint8_t LinkTokens::take(const Kind &kind, size_t number) {
    std::vector<uint8_t> &list = tokens_[kind];
    while (list.size() <= number) {
        if (program_.tokens.size() >= token_count) raise(Diag::link_tokens, {program_.name}, token_count);
        list.push_back(static_cast<uint8_t>(program_.tokens.size()));
        program_.tokens.push_back({std::get<0>(kind)});
    }
    return list[number];
}

std::vector<uint8_t> LinkTokens::of_unit(const Program &unit, int parity) {
    std::vector<Queue> signaller(unit.tokens.size(), Queue::CTL), waiter(unit.tokens.size(), Queue::CTL);
    for (const Instruction &i : unit.code) {
        const InstructionInfo *row = find_instruction(i.op);
        if (row->form != InstructionForm::tile && row->form != InstructionForm::sync) continue;
        for (uint8_t t : i.signal)
            if (t != no_token) signaller[t] = row->queue;
        for (uint8_t t : i.wait)
            if (t != no_token) waiter[t] = row->queue;
    }
    std::map<Kind, size_t> used;
    std::vector<uint8_t> numbers;
    for (size_t t = 0; t < unit.tokens.size(); t++) {
        const Kind kind{unit.tokens[t].initial, signaller[t], waiter[t], parity};
        numbers.push_back(take(kind, used[kind]++));
    }
    return numbers;
}

uint8_t LinkTokens::barrier(Queue from, Queue to) { return take({0, from, to, between_units}, 0); }

}  // namespace emulsion
