#include "tests/runtime/program/random_program.h"

#include "runtime/isa/instruction_fields.h"
#include "runtime/program/enum_names.h"
#include "runtime/program/record_fields.h"

#include <limits>
#include <type_traits>

namespace emulsion {
namespace {

/// Visitor of record_fields.h that gives every field a random value.
struct Randomize {
    std::mt19937_64 &random;

    template<typename T>
    void operator()(std::string_view, T &value) { set(value); }

    void set(bool &b) { b = random() % 2; }
    template<typename T>
    requires(std::is_integral_v<T>)
    void set(T &v) {
        const T values[] = {0, 1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), static_cast<T>(random()), static_cast<T>(random() % 100)};
        v = values[random() % std::size(values)];
    }
    template<typename E>
    requires(std::is_enum_v<E>)
    void set(E &e) { e = static_cast<E>(random() % enum_names<E>.size()); }
    void set(std::string &s) {
        s.clear();
        for (size_t n = random() % 6; n > 0; n--) s += static_cast<char>(random());
    }
    void set(Scalar &s) { set(s.imm), set(s.reg); }
    void set(BaseTerm &t) { set(t.scale), set(t.reg); }
    template<typename T, size_t N>
    void set(std::array<T, N> &values) {
        for (T &v : values)
            if (random() % 2) set(v);
    }
    template<typename T>
    void set(std::vector<T> &values) {
        for (T &v : values = std::vector<T>(random() % 4)) set(v);
    }
    void set(MicroOp &m) {
        m.op = micro_ops[random() % std::size(micro_ops)].code;
        Fields<MicroOp>::each(*this, m);
    }
    void set(Instruction &i) {
        const InstructionInfo &row = instruction_table[random() % std::size(instruction_table)];
        i = {.op = row.op};
        for (const InstructionField &f : fields_of(row))
            if (random() % 2) f.set(i, std::uniform_int_distribution<int64_t>(f.lowest(), f.highest())(random));
    }
    template<typename Record>
    requires requires(Record &r, Randomize &v) { Fields<Record>::each(v, r); }
    void set(Record &r) { Fields<Record>::each(*this, r); }
};

}  // namespace

Program random_program(std::mt19937_64 &random) {
    Program p;
    Randomize set{random};
    set.set(p);
    set.set(p.code), set.set(p.domains), set.set(p.streams), set.set(p.fills), set.set(p.micro_programs), set.set(p.tokens);
    set.set(p.regions), set.set(p.arguments), set.set(p.buffers), set.set(p.debug), set.set(p.certificate);
    p.constants.resize(random() % 100);
    for (uint8_t &b : p.constants) set.set(b);
    return p;
}

Program program_of(std::vector<Instruction> code) {
    Program p;
    p.code = std::move(code);
    return p;
}

Program sample_program() {
    Program p;
    p.name = "sample", p.machine = "mobile", p.machine_hash = 42;
    p.regions = {{"in", RegionKind::input, ElementType::i8, 2}, {"out", RegionKind::output, ElementType::i8, 2}, {"weights", RegionKind::constants, ElementType::i8, 1, 3}};
    p.arguments = {{ArgumentKind::buffer_extent, 0, 1, ""}, {ArgumentKind::scalar, 0, 0, "gain", ElementType::f32}};
    p.tokens = {{0}, {2}};
    p.domains = {{.rank = 2, .extent = {Scalar{64}, Scalar{0, 3}}, .role = {Role::streamed, Role::reduce}}};
    p.streams = {{.space = Space::spm, .stride = {Scalar{1}, Scalar{64}}},
                 {.space = Space::ext, .terms = {BaseTerm{2, 64}}, .stride = {Scalar{1}, Scalar{0, 4}}},
                 {.space = Space::ext, .region = 1, .stride = {Scalar{1}}},
                 {.space = Space::spm, .base = 4096, .stride = {Scalar{1}}, .window_lo = -8, .window_hi = 8}};
    p.fills = {{.mode = FillMode::repeat_edge, .boxed = {true}, .hi = {Scalar{64}}}};
    p.micro_programs = {{{.op = MicroOpcode::load}, {.op = MicroOpcode::constant, .imm = 3}, {.op = MicroOpcode::add, .a = 0, .b = 1},
                         {.op = MicroOpcode::store, .stream = 1, .a = 2}}};
    p.code = {{.op = Opcode::op_arg, .rd = 3, .imm = 0},
              {.op = Opcode::op_loop, .rd = 2, .ra = 3},
              {.op = Opcode::op_bz, .ra = 2, .imm = 1},
              {.op = Opcode::op_load, .wait = {1, no_token}, .signal = {0, no_token}, .stream_count = 2, .stream = 0, .extra = 0},
              {.op = Opcode::op_run, .wait = {0, no_token}, .stream_count = 4, .extra = 0},
              {.op = Opcode::op_store, .signal = {1, no_token}, .stream_count = 2, .stream = 2},
              {.op = Opcode::op_endloop},
              {.op = Opcode::op_halt}};
    p.constants = {1, 2, 3};
    p.buffers = {{"tile", Space::spm, 0, 4096, 2}};
    p.debug = {{3, "tile", "tile.cpp", 12}, {4, "tile", "tile.cpp", 14}};
    p.certificate = {7, 42, 1, {64}};
    return p;
}

Program random_valid_program(std::mt19937_64 &random) {
    Program p = sample_program();
    Randomize set{random};
    set.set(p), set.set(p.debug), set.set(p.certificate), set.set(p.constants);
    for (Region &r : p.regions) set.set(r.name), set.set(r.type);
    for (BufferEntry &b : p.buffers) set.set(b), b.first = random() % p.code.size(), b.last = static_cast<uint32_t>(p.code.size());
    for (TokenInit &t : p.tokens) set.set(t);
    for (Scalar &s : p.domains[0].extent) set.set(s.imm);
    for (Stream &s : p.streams) {
        set.set(s.type), set.set(s.base), set.set(s.stride[2].imm), set.set(s.terms[1].scale);
        if (s.space == Space::spm) set.set(s.region);
    }
    set.set(p.fills[0].boxed), set.set(p.fills[0].value);
    for (MicroOp &m : p.micro_programs[0]) set.set(m.imm), set.set(m.type), set.set(m.from);
    return p;
}

}  // namespace emulsion
