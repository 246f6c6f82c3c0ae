#include "runtime/emulator/wait_graph.h"

namespace emulsion {
namespace {

/// "MX instruction 7 (contract, stage "acc")"
std::string describe(const Program &program, uint32_t pc) {
    const InstructionInfo *row = find_instruction(program.code[pc].op);
    const Place place = place_of(program, pc);
    const std::string stage = place.stage.empty() ? "" : fmt::format(", stage \"{}\"", place.stage);
    return fmt::format("{} instruction {} ({}{})", queue_names[static_cast<int>(row->queue)], pc, row->name, stage);
}

std::string givers(const Program &program, uint8_t token) {
    for (uint32_t pc = 0; pc < program.code.size(); pc++)
        for (uint8_t t : program.code[pc].signal)
            if (t == token) return describe(program, pc);
    return "nobody";
}

}  // namespace

void fail_deadlock(const Program &program, const Queues &queues, const Tokens &tokens, const Dispatched *pending) {
    std::string graph;
    Place place;
    for (const DispatchQueue &q : queues) {
        if (q.empty()) continue;
        const uint32_t pc = q.front().pc;
        const uint8_t token = missing_token(*q.front().insn, tokens);
        if (graph.empty()) place = place_of(program, pc);
        graph += fmt::format("\n    {} waits for token {}, which {} gives", describe(program, pc), token, givers(program, token));
    }
    if (pending) graph += fmt::format("\n    CTL waits for room in the queue of {}", describe(program, pending->pc));
    raise(Diag::deadlock, place, graph);
}

}  // namespace emulsion
