// Builds small programs by hand, for tests that must not depend on the compiler.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <initializer_list>

namespace emulsion::test {

/// A machine with 4 KiB of scratchpad and of accumulator, and an int8 array.
TargetDesc small_target();

struct Tokens {
    std::vector<uint8_t> wait, signal;
};

class ProgramBuilder {
public:
    explicit ProgramBuilder(const std::string &name);

    uint8_t region(const std::string &name, RegionKind kind, int64_t bytes = 0);
    uint8_t token(uint8_t initial);
    void buffer(const std::string &name, Space space, uint64_t offset, uint64_t bytes, uint32_t slots = 1);

    /// Rank of the list, innermost first; all extents constant, roles streamed.
    uint16_t domain(std::initializer_list<int64_t> extents);
    uint16_t domain(std::vector<Scalar> extents);
    uint16_t micro(MicroProgram program);
    uint16_t fill(Fill f);

    /// Appends and returns the pc.
    uint32_t control(Instruction i);
    uint32_t tile(const std::string &stage, Opcode op, uint16_t domain, const std::vector<Stream> &streams,
                  const Tokens &tokens = {}, uint16_t extra = no_extra, int32_t imm = 0);
    uint32_t sync(Opcode op, const Tokens &tokens);

    uint32_t movi(uint8_t rd, int32_t v) { return control({.op = Opcode::op_movi, .rd = rd, .imm = v}); }
    uint32_t loop(uint8_t rd, int32_t turns) { return control({.op = Opcode::op_loop, .rd = rd, .imm = turns}); }
    uint32_t endloop() { return control({.op = Opcode::op_endloop}); }
    /// R[rd] = (R[rd] + 1) mod slots
    void advance(uint8_t rd, int32_t slots);

    /// Adds halt.
    Program finish();

    Program program;
};

Stream spm(ElementType type, int64_t base, std::initializer_list<int64_t> strides, std::vector<BaseTerm> terms = {});
Stream acc(ElementType type, int64_t base, std::initializer_list<int64_t> strides, std::vector<BaseTerm> terms = {});
Stream ext(uint8_t region, ElementType type, int64_t base, std::initializer_list<int64_t> strides,
           std::vector<BaseTerm> terms = {});

MicroOp load(ElementType type, uint8_t stream, int64_t displacement = 0);
MicroOp constant(ElementType type, int64_t value);
MicroOp binary(MicroOpcode op, ElementType type, uint16_t a, uint16_t b);
MicroOp store(ElementType type, uint8_t stream, uint16_t value, uint16_t predicate = no_value);

}  // namespace emulsion::test
