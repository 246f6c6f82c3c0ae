// A tiny assembler for tests: programs in a few lines, with one scratchpad-sized machine.
#pragma once
#include "runtime/diag/diag.h"
#include "runtime/emulator/emulator.h"

#include <initializer_list>
#include <random>
#include <vector>

namespace emulsion::test {

inline TargetDesc small_target() {
    TargetDesc t;
    t.name = "test";
    t.spm_bytes = 1 << 16;
    t.acc_bytes = 1 << 14;
    t.queue_depth = 4;
    return t;
}

inline Domain domain(std::initializer_list<int64_t> extents) {
    Domain d;
    for (int64_t e : extents) d.extent[d.rank++].imm = e;
    return d;
}

inline Stream stream(Space space, ElementType type, int64_t base, std::initializer_list<int64_t> strides, uint8_t region = 0) {
    Stream s{.space = space, .region = region, .type = type, .base = base};
    int d = 0;
    for (int64_t b : strides) s.stride[d++].imm = b;
    return s;
}
inline Stream spm(ElementType t, int64_t base, std::initializer_list<int64_t> strides) { return stream(Space::spm, t, base, strides); }
inline Stream acc(ElementType t, int64_t base, std::initializer_list<int64_t> strides) { return stream(Space::acc, t, base, strides); }
inline Stream ext(uint8_t region, ElementType t, int64_t base, std::initializer_list<int64_t> strides) {
    return stream(Space::ext, t, base, strides, region);
}

/// Appends instructions; halt comes with run().
class Builder {
public:
    Program program;

    uint8_t region(RegionKind kind, const char *name = "r") {
        program.regions.push_back({.name = name, .kind = kind});
        return static_cast<uint8_t>(program.regions.size() - 1);
    }
    Instruction &control(Opcode op, uint8_t rd = 0xff, uint8_t ra = 0xff, int32_t imm = 0, uint8_t rb = 0xff) {
        program.code.push_back({.op = op, .rd = rd, .ra = ra, .rb = rb, .imm = imm});
        return program.code.back();
    }
    Instruction &tile(Opcode op, const Domain &d, std::initializer_list<Stream> streams, int32_t imm = 0) {
        Instruction i{.op = op, .stream_count = static_cast<uint8_t>(streams.size()), .imm = imm};
        i.domain = static_cast<uint16_t>(program.domains.size());
        i.stream = static_cast<uint16_t>(program.streams.size());
        program.domains.push_back(d);
        program.streams.insert(program.streams.end(), streams);
        program.code.push_back(i);
        return program.code.back();
    }
    Instruction &micro(Opcode op, const Domain &d, std::initializer_list<Stream> streams, MicroProgram ops) {
        program.micro_programs.push_back(std::move(ops));
        Instruction &i = tile(op, d, streams);
        i.extra = static_cast<uint16_t>(program.micro_programs.size() - 1);
        return i;
    }
    Instruction &with_fill(Opcode op, const Domain &d, std::initializer_list<Stream> streams, const Fill &fill) {
        program.fills.push_back(fill);
        Instruction &i = tile(op, d, streams);
        i.extra = static_cast<uint16_t>(program.fills.size() - 1);
        return i;
    }
    void stage(const char *name) {
        program.debug.push_back({.pc = static_cast<uint32_t>(program.code.size()), .stage = name, .file = "kernel.cpp", .line = 7});
    }
    void run(const std::vector<RegionMemory> &regions, const std::vector<int64_t> &arguments = {}, const InterpreterOptions &options = {},
             const TargetDesc &target = small_target()) {
        Program p = program;
        p.code.push_back({.op = Opcode::op_halt});
        interpret(p, target, regions, arguments, options);
    }
};

template<typename T>
RegionMemory memory_of(std::vector<T> &v) {
    return {{reinterpret_cast<uint8_t *>(v.data()), v.size() * sizeof(T)}, 0};
}

/// The code of the error that `f` raises; 0: none.
template<typename F>
int code_of(F f, std::string *text = nullptr) {
    try {
        f();
    } catch (const Error &e) {
        if (text) *text = e.what();
        return static_cast<int>(e.diagnostic().id);
    }
    return 0;
}

inline std::vector<uint8_t> random_bytes(size_t n, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> v(n);
    for (uint8_t &b : v) b = static_cast<uint8_t>(random());
    return v;
}

}  // namespace emulsion::test
