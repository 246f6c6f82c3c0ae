#include "tests/npu_backend/verify/mutate.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace emulsion::test {
namespace {

class Collector {
public:
    explicit Collector(const Program &program) : program_(program) {}

    template<typename Edit>
    void add(std::string what, Edit edit) {
        Program copy = program_;
        edit(copy);
        if (!(copy == program_)) mutants_.push_back({std::move(what), std::move(copy)});
    }
    std::vector<Mutant> take() { return std::move(mutants_); }

private:
    const Program &program_;
    std::vector<Mutant> mutants_;
};

using TokenList = std::array<uint8_t, 2> Instruction::*;

std::vector<Mutant> drop(const Program &program, TokenList list, std::string_view name) {
    Collector c(program);
    for (size_t pc = 0; pc < program.code.size(); pc++)
        for (size_t k = 0; k < 2; k++)
            c.add(fmt::format("instruction {}: {} {} dropped", pc, name, k),
                  [&](Program &p) { (p.code[pc].*list)[k] = no_token; });
    return c.take();
}

std::vector<Mutant> wait_dropped(const Program &p) { return drop(p, &Instruction::wait, "wait"); }
std::vector<Mutant> signal_dropped(const Program &p) { return drop(p, &Instruction::signal, "signal"); }

std::vector<Mutant> token_doubled(const Program &program) {
    Collector c(program);
    for (size_t pc = 0; pc < program.code.size(); pc++)
        for (TokenList list : {&Instruction::wait, &Instruction::signal}) {
            const auto &tokens = program.code[pc].*list;
            if ((tokens[0] == no_token) == (tokens[1] == no_token)) continue;
            const uint8_t token = std::min(tokens[0], tokens[1]);
            c.add(fmt::format("instruction {}: token {} doubled", pc, token), [&](Program &p) {
                (p.code[pc].*list) = {token, token};
            });
        }
    return c.take();
}

bool uses_tokens(const Instruction &i) {
    const InstructionInfo *row = find_instruction(i.op);
    return row && row->queue != Queue::CTL;
}

// Exchanges the tokens of two instructions that stand near each other.
std::vector<Mutant> tokens_swapped(const Program &program) {
    constexpr size_t near = 4;
    Collector c(program);
    for (size_t a = 0; a < program.code.size(); a++)
        for (size_t b = a + 1; b < std::min(program.code.size(), a + near); b++)
            for (TokenList list : {&Instruction::wait, &Instruction::signal})
                if (uses_tokens(program.code[a]) && uses_tokens(program.code[b]))
                    c.add(fmt::format("instructions {} and {}: {} swapped", a, b,
                                      list == &Instruction::wait ? "waits" : "signals"),
                          [&](Program &p) { std::swap(p.code[a].*list, p.code[b].*list); });
    return c.take();
}

// By one element: what an operand touches is as large as what was written, so one end falls out. A shift as large as a
// whole buffer can land on another one, which is a safe program that computes something else.
std::vector<Mutant> address_shifted(const Program &program) {
    Collector c(program);
    for (size_t s = 0; s < program.streams.size(); s++) {
        const int64_t element = info(program.streams[s].type).bytes;
        for (int64_t shift : {element, -element})
            c.add(fmt::format("stream {}: base {:+}", s, shift), [&](Program &p) { p.streams[s].base += shift; });
    }
    return c.take();
}

std::vector<Mutant> extent_grown(const Program &program) {
    Collector c(program);
    for (size_t d = 0; d < program.domains.size(); d++)
        for (int k = 0; k < program.domains[d].rank; k++) {
            c.add(fmt::format("domain {}: extent {} plus 1", d, k),
                  [&](Program &p) { p.domains[d].extent[k].imm += 1; });
            c.add(fmt::format("domain {}: extent {} doubled", d, k),
                  [&](Program &p) { p.domains[d].extent[k].imm *= 2; });
        }
    return c.take();
}

std::set<size_t> domains_of(const Program &program, size_t stream) {
    std::set<size_t> domains;
    for (const Instruction &i : program.code)
        if (i.stream <= stream && stream < size_t{i.stream} + i.stream_count) domains.insert(i.domain);
    return domains;
}

// Away from zero: a stride nearer to zero touches fewer bytes, which is another safe program.
std::vector<Mutant> stride_grown(const Program &program) {
    Collector c(program);
    for (size_t s = 0; s < program.streams.size(); s++) {
        int rank = 0;
        for (size_t d : domains_of(program, s)) rank = std::max<int>(rank, program.domains[d].rank);
        const int64_t element = info(program.streams[s].type).bytes;
        for (int d = 0; d < rank; d++) {
            const int64_t stride = program.streams[s].stride[d].imm;
            const int64_t grown = stride < 0 ? stride - element : stride + element;
            c.add(fmt::format("stream {}: stride {} of dimension {} is {}", s, stride, d, grown),
                  [&](Program &p) { p.streams[s].stride[d].imm = grown; });
            c.add(fmt::format("stream {}: stride {} of dimension {} doubled", s, stride, d),
                  [&](Program &p) { p.streams[s].stride[d].imm *= 2; });
        }
    }
    return c.take();
}

std::set<uint8_t> ring_registers(const Program &program) {
    std::set<uint8_t> rings;
    for (const Instruction &i : program.code)
        if (i.op == Opcode::op_mod && i.rd == i.ra && i.rb == no_register) rings.insert(i.rd);
    return rings;
}

std::vector<Mutant> ring_shortened(const Program &program) {
    Collector c(program);
    const auto rings = ring_registers(program);
    for (size_t pc = 0; pc < program.code.size(); pc++)
        if (program.code[pc].op == Opcode::op_mod && rings.count(program.code[pc].rd) && program.code[pc].imm > 1)
            c.add(fmt::format("instruction {}: ring one slot shorter", pc), [&](Program &p) { p.code[pc].imm--; });
    for (size_t s = 0; s < program.streams.size(); s++)
        for (int t = 0; t < max_base_terms; t++)
            if (rings.count(program.streams[s].terms[t].reg))
                for (int64_t divisor : {2, 4})
                    c.add(fmt::format("stream {}: slots 1/{} apart", s, divisor),
                          [&](Program &p) { p.streams[s].terms[t].scale /= divisor; });
    return c.take();
}

std::vector<Mutant> loop_grown(const Program &program) {
    Collector c(program);
    for (size_t pc = 0; pc < program.code.size(); pc++) {
        if (program.code[pc].op != Opcode::op_loop || program.code[pc].ra != no_register) continue;
        for (int more : {1, 2})
            c.add(fmt::format("instruction {}: {} turns more", pc, more), [&](Program &p) { p.code[pc].imm += more; });
    }
    return c.take();
}

std::vector<Mutant> initial_raised(const Program &program) {
    Collector c(program);
    for (size_t t = 0; t < program.tokens.size(); t++)
        c.add(fmt::format("token {}: initial count plus 1", t), [&](Program &p) { p.tokens[t].initial++; });
    return c.take();
}

}  // namespace

const std::vector<Mutation> mutations = {
    {"wait dropped", wait_dropped},     {"signal dropped", signal_dropped},   {"token doubled", token_doubled},
    {"tokens swapped", tokens_swapped}, {"address shifted", address_shifted}, {"extent grown", extent_grown},
    {"stride grown", stride_grown},     {"ring shortened", ring_shortened},   {"loop grown", loop_grown},
    {"initial raised", initial_raised},
};

}  // namespace emulsion::test
