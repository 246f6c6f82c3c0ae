#include "tests/npu_backend/verify/program_builder.h"

#include <algorithm>

namespace emulsion::test {

TargetDesc small_target() {
    TargetDesc t;
    t.name = "small";
    t.spm_bytes = 4096;
    t.acc_bytes = 4096;
    t.spm_bytes_per_cycle = 64;
    t.array.kind = "systolic";
    t.array.rows = t.array.columns = 8;
    t.array.slowdown = {{ElementType::i8, 1}, {ElementType::u8, 1}};
    t.vector_lanes = 16;
    t.queue_depth = 4;
    t.hash = 0x5a;
    return t;
}

ProgramBuilder::ProgramBuilder(const std::string &name) {
    program.name = name;
    program.machine = small_target().name;
    program.machine_hash = small_target().hash;
}

uint8_t ProgramBuilder::region(const std::string &name, RegionKind kind, int64_t bytes) {
    program.regions.push_back({name, kind, ElementType::u8, 1, bytes});
    if (kind == RegionKind::constants)
        for (int64_t k = 0; k < bytes; k++) program.constants.push_back(static_cast<uint8_t>(7 * k + 3));
    return static_cast<uint8_t>(program.regions.size() - 1);
}

uint8_t ProgramBuilder::token(uint8_t initial) {
    program.tokens.push_back({initial});
    return static_cast<uint8_t>(program.tokens.size() - 1);
}

void ProgramBuilder::buffer(const std::string &name, Space space, uint64_t offset, uint64_t bytes, uint32_t slots) {
    program.buffers.push_back({name, space, offset, bytes, slots});
}

uint16_t ProgramBuilder::domain(std::vector<Scalar> extents) {
    Domain d;
    d.rank = static_cast<uint8_t>(extents.size());
    std::copy(extents.begin(), extents.end(), d.extent.begin());
    program.domains.push_back(d);
    return static_cast<uint16_t>(program.domains.size() - 1);
}

uint16_t ProgramBuilder::domain(std::initializer_list<int64_t> extents) {
    std::vector<Scalar> scalars;
    for (int64_t e : extents) scalars.push_back({e, no_register});
    return domain(scalars);
}

uint16_t ProgramBuilder::micro(MicroProgram p) {
    program.micro_programs.push_back(std::move(p));
    return static_cast<uint16_t>(program.micro_programs.size() - 1);
}

uint16_t ProgramBuilder::fill(Fill f) {
    program.fills.push_back(f);
    return static_cast<uint16_t>(program.fills.size() - 1);
}

uint32_t ProgramBuilder::control(Instruction i) {
    program.code.push_back(i);
    return static_cast<uint32_t>(program.code.size() - 1);
}

namespace {
void set_tokens(Instruction &i, const Tokens &tokens) {
    std::copy(tokens.wait.begin(), tokens.wait.end(), i.wait.begin());
    std::copy(tokens.signal.begin(), tokens.signal.end(), i.signal.begin());
}
}  // namespace

uint32_t ProgramBuilder::tile(const std::string &stage, Opcode op, uint16_t domain, const std::vector<Stream> &streams,
                              const Tokens &tokens, uint16_t extra, int32_t imm) {
    Instruction i{.op = op};
    i.domain = domain;
    i.stream = static_cast<uint16_t>(program.streams.size());
    i.stream_count = static_cast<uint8_t>(streams.size());
    i.extra = extra;
    i.imm = imm;
    set_tokens(i, tokens);
    program.streams.insert(program.streams.end(), streams.begin(), streams.end());
    program.debug.push_back(
        {static_cast<uint32_t>(program.code.size()), stage, "hand.cpp", static_cast<uint32_t>(program.code.size())});
    return control(i);
}

uint32_t ProgramBuilder::sync(Opcode op, const Tokens &tokens) {
    Instruction i{.op = op};
    set_tokens(i, tokens);
    return control(i);
}

void ProgramBuilder::advance(uint8_t rd, int32_t slots) {
    control({.op = Opcode::op_add, .rd = rd, .ra = rd, .imm = 1});
    control({.op = Opcode::op_mod, .rd = rd, .ra = rd, .imm = slots});
}

Program ProgramBuilder::finish() {
    control({.op = Opcode::op_halt});
    return program;
}

namespace {
Stream stream(Space space, uint8_t region, ElementType type, int64_t base, std::initializer_list<int64_t> strides,
              const std::vector<BaseTerm> &terms) {
    Stream s;
    s.space = space;
    s.region = region;
    s.type = type;
    s.base = base;
    size_t d = 0;
    for (int64_t stride : strides) s.stride[d++].imm = stride;
    std::copy(terms.begin(), terms.end(), s.terms.begin());
    return s;
}
}  // namespace

Stream spm(ElementType type, int64_t base, std::initializer_list<int64_t> strides, std::vector<BaseTerm> terms) {
    return stream(Space::spm, 0, type, base, strides, terms);
}
Stream acc(ElementType type, int64_t base, std::initializer_list<int64_t> strides, std::vector<BaseTerm> terms) {
    return stream(Space::acc, 0, type, base, strides, terms);
}
Stream ext(uint8_t region, ElementType type, int64_t base, std::initializer_list<int64_t> strides,
           std::vector<BaseTerm> terms) {
    return stream(Space::ext, region, type, base, strides, terms);
}

MicroOp load(ElementType type, uint8_t stream, int64_t displacement) {
    return {.op = MicroOpcode::load, .type = type, .stream = stream, .imm = displacement};
}
MicroOp constant(ElementType type, int64_t value) { return {.op = MicroOpcode::constant, .type = type, .imm = value}; }
MicroOp binary(MicroOpcode op, ElementType type, uint16_t a, uint16_t b) {
    return {.op = op, .type = type, .a = a, .b = b};
}
MicroOp store(ElementType type, uint8_t stream, uint16_t value, uint16_t predicate) {
    return {.op = MicroOpcode::store, .type = type, .stream = stream, .a = value, .c = predicate};
}

}  // namespace emulsion::test
