// Small programs and a small machine with round numbers, for tests of timing.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <initializer_list>

namespace emulsion {

/// EXT 8 B/cycle, latency 100, 4 requests in flight; SPM 64 B/cycle; a 16x16 systolic array that loads 16 B of weights
/// per cycle; 16 results per cycle with latency 4; 32 byte lanes with latency 6; queues of 4.
inline TargetDesc timing_machine() {
    TargetDesc t;
    t.name = "timing";
    t.clock_mhz = 1000;
    t.spm_bytes = 1 << 20, t.acc_bytes = 1 << 18, t.spm_bytes_per_cycle = 64;
    t.array = {.kind = "systolic",
               .rows = 16,
               .columns = 16,
               .depthwise_macs = 32,
               .weight_bytes_per_cycle = 16,
               .slowdown = {}};
    t.array.slowdown = {{ElementType::i8, 1}, {ElementType::u8, 1}, {ElementType::i16, 4}};
    t.ext = {.bytes_per_cycle_x10 = 80, .latency = 100, .outstanding = 4, .burst_bytes = 16, .request_bytes = 4096};
    t.output_elements_per_cycle = 16, t.output_latency = 4;
    t.vector_lanes = 32, t.vector_latency = 6;
    t.queue_depth = 4;
    return t;
}

/// Tokens of one instruction.
struct Tokens {
    std::initializer_list<uint8_t> wait, signal;
};

class ProgramBuilder {
public:
    struct Dim {
        int64_t extent = 1;
        Role role = Role::streamed;
    };

    ProgramBuilder() {
        program.name = "test";
        for (const char *name : {"in", "out"}) program.regions.push_back({.name = name});
    }

    void domain(std::initializer_list<Dim> dims) {
        Domain d{.rank = static_cast<uint8_t>(dims.size())};
        int k = 0;
        for (const Dim &dim : dims) d.extent[k].imm = dim.extent, d.role[k++] = dim.role;
        program.domains.push_back(d);
    }

    static Stream stream(Space space, ElementType type, std::initializer_list<int64_t> strides) {
        Stream s{.space = space, .type = type};
        int k = 0;
        for (int64_t stride : strides) s.stride[k++].imm = stride;
        return s;
    }

    /// Over the last domain.
    Instruction &tile(Opcode op, std::initializer_list<Stream> streams, const Tokens &tokens = {},
                      uint16_t extra = no_extra) {
        Instruction i{.op = op};
        i.domain = static_cast<uint16_t>(program.domains.size() - 1);
        i.stream = static_cast<uint16_t>(program.streams.size());
        i.stream_count = static_cast<uint8_t>(streams.size());
        i.extra = extra;
        set(i, tokens);
        program.streams.insert(program.streams.end(), streams);
        return program.code.emplace_back(i);
    }

    Instruction &control(const Instruction &i) { return program.code.emplace_back(i); }

    Instruction &sync(Opcode op, const Tokens &tokens) {
        Instruction i{.op = op};
        set(i, tokens);
        return program.code.emplace_back(i);
    }

    /// `bytes` contiguous bytes.
    void load(int64_t bytes, const Tokens &tokens = {}) {
        domain({{bytes}});
        tile(Opcode::op_load, {stream(Space::spm, ElementType::u8, {1}), stream(Space::ext, ElementType::u8, {1})},
             tokens);
    }
    void store(int64_t bytes, const Tokens &tokens = {}) {
        domain({{bytes}});
        tile(Opcode::op_store, {stream(Space::ext, ElementType::u8, {1}), stream(Space::spm, ElementType::u8, {1})},
             tokens);
    }

    /// acc[m, n] += a[m, k] * b[k, n].
    Instruction &matmul(int64_t m, int64_t n, int64_t k, ElementType type = ElementType::i8,
                        const Tokens &tokens = {}) {
        const int64_t bytes = info(type).bytes;
        domain({{m}, {n, Role::column}, {k, Role::row}});
        return tile(Opcode::op_contract,
                    {stream(Space::acc, ElementType::i32, {4, 4 * m, 0}),
                     stream(Space::spm, type, {bytes, 0, m * bytes}), stream(Space::spm, type, {0, bytes, n * bytes})},
                    tokens);
    }

    uint16_t micro(MicroProgram m) {
        program.micro_programs.push_back(std::move(m));
        return static_cast<uint16_t>(program.micro_programs.size() - 1);
    }

    uint8_t token(uint8_t initial = 0) {
        program.tokens.push_back({initial});
        return static_cast<uint8_t>(program.tokens.size() - 1);
    }

    void loop(int32_t count, uint8_t counter = 0) { control({.op = Opcode::op_loop, .rd = counter, .imm = count}); }
    void end_loop() { control({.op = Opcode::op_endloop}); }

    const Program &finish() {
        program.code.push_back({.op = Opcode::op_halt});
        return program;
    }

    Program program;

private:
    static void set(Instruction &i, const Tokens &tokens) {
        std::copy(tokens.wait.begin(), tokens.wait.end(), i.wait.begin());
        std::copy(tokens.signal.begin(), tokens.signal.end(), i.signal.begin());
    }
};

}  // namespace emulsion
