// Every structural rule, broken once: the message names the item and the rule.
#include "runtime/program/validate.h"

#include "tests/runtime/program/random_program.h"
#include "tests/runtime/raises.h"

#include <functional>
#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(Validate, AcceptsTheSample) { EXPECT_EQ(error_of([] { validate(sample_program()); }), ""); }

struct Mistake {
    const char *message;
    std::function<void(Program &)> make;
};

const Mistake mistakes[] = {
    {"the program breaks a rule: it has more than 16 regions", [](Program &p) { p.regions.resize(17); }},
    {"the program breaks a rule: it has more than 255 tokens", [](Program &p) { p.tokens.resize(256); }},
    {"the program breaks a rule: its last instruction is not halt", [](Program &p) { p.code.pop_back(); }},
    {"the program breaks a rule: its last instruction is not halt", [](Program &p) { p.code.clear(); }},
    {"region 1 breaks a rule: kind 9", [](Program &p) { p.regions[1].kind = static_cast<RegionKind>(9); }},
    {"region 1 breaks a rule: type 11", [](Program &p) { p.regions[1].type = static_cast<ElementType>(11); }},
    {"region 2 breaks a rule: its size is negative", [](Program &p) { p.regions[2].bytes = -1; }},
    {"argument 0 breaks a rule: entry 3 of regions", [](Program &p) { p.arguments[0].region = 3; }},
    {"argument 0 breaks a rule: entry 2 of the region's dimensions", [](Program &p) { p.arguments[0].dimension = 2; }},
    {"argument 1 breaks a rule: kind 4", [](Program &p) { p.arguments[1].kind = static_cast<ArgumentKind>(4); }},
    {"buffer 0 breaks a rule: space 4", [](Program &p) { p.buffers[0].space = static_cast<Space>(4); }},
    {"domain 0 breaks a rule: its rank is above 6", [](Program &p) { p.domains[0].rank = 7; }},
    {"domain 0 breaks a rule: a register number is above 31", [](Program &p) { p.domains[0].extent[5].reg = 32; }},
    {"domain 0 breaks a rule: role 7", [](Program &p) { p.domains[0].role[2] = static_cast<Role>(7); }},
    {"stream 1 breaks a rule: entry 3 of regions", [](Program &p) { p.streams[1].region = 3; }},
    {"stream 1 breaks a rule: space 8", [](Program &p) { p.streams[1].space = static_cast<Space>(8); }},
    {"stream 1 breaks a rule: a register number is above 31", [](Program &p) { p.streams[1].terms[3].reg = 99; }},
    {"stream 1 breaks a rule: a register number is above 31", [](Program &p) { p.streams[1].stride[0].reg = 99; }},
    {"stream 3 breaks a rule: its window ends before it begins", [](Program &p) { p.streams[3].window_hi = -9; }},
    {"fill 0 breaks a rule: mode 5", [](Program &p) { p.fills[0].mode = static_cast<FillMode>(5); }},
    {"fill 0 breaks a rule: a register number is above 31", [](Program &p) { p.fills[0].lo[0].reg = 64; }},
    {"micro 0 breaks a rule: it has more than 1024 micro-ops", [](Program &p) { p.micro_programs[0].resize(1025); }},
    {"micro 0 op 2 breaks a rule: its opcode does not exist", [](Program &p) { p.micro_programs[0][2].op = static_cast<MicroOpcode>(0xf0); }},
    {"micro 0 op 2 breaks a rule: type 11", [](Program &p) { p.micro_programs[0][2].from = static_cast<ElementType>(11); }},
    {"micro 0 op 2 breaks a rule: an operand is missing", [](Program &p) { p.micro_programs[0][2].b = no_value; }},
    {"micro 0 op 2 breaks a rule: an operand is not the result of an earlier", [](Program &p) { p.micro_programs[0][2].b = 2; }},
    {"micro 0 op 4 breaks a rule: an operand is not the result of an earlier",
     [](Program &p) { p.micro_programs[0].push_back({.op = MicroOpcode::floor, .a = 3}); }},
    {"micro 0 op 1 breaks a rule: the dimension is above 5", [](Program &p) { p.micro_programs[0][1] = {.op = MicroOpcode::index, .mode = 6}; }},
    {"micro 0 op 1 breaks a rule: a register is missing", [](Program &p) { p.micro_programs[0][1] = {.op = MicroOpcode::scalar, .mode = 32}; }},
    {"micro 0 op 2 breaks a rule: the rounding mode does not exist",
     [](Program &p) { p.micro_programs[0][2] = {.op = MicroOpcode::requantize, .mode = 6, .a = 0, .b = 1, .c = 1}; }},
    {"insn 0 breaks a rule: its opcode does not exist", [](Program &p) { p.code[0].op = static_cast<Opcode>(0xee); }},
    {"insn 0 breaks a rule: a register is missing", [](Program &p) { p.code[0].rd = 0xff; }},
    {"insn 2 breaks a rule: a register is missing", [](Program &p) { p.code[2].ra = 0xff; }},
    {"insn 1 breaks a rule: a register number is above 31", [](Program &p) { p.code[1].ra = 40; }},
    {"insn 0 breaks a rule: the kernel argument does not exist", [](Program &p) { p.code[0].imm = 2; }},
    {"insn 3 breaks a rule: entry 2 of tokens", [](Program &p) { p.code[3].wait[1] = 2; }},
    {"insn 3 breaks a rule: entry 1 of domains", [](Program &p) { p.code[3].domain = 1; }},
    {"insn 3 breaks a rule: it has the wrong number of streams", [](Program &p) { p.code[3].stream_count = 3; }},
    {"insn 4 breaks a rule: it has the wrong number of streams", [](Program &p) { p.code[4].stream_count = 0; }},
    {"insn 5 breaks a rule: its streams go past the end", [](Program &p) { p.code[5].stream = 3; }},
    {"insn 3 breaks a rule: its mode does not exist", [](Program &p) { p.code[3].mode = 1; }},
    {"insn 3 breaks a rule: entry 1 of fills", [](Program &p) { p.code[3].extra = 1; }},
    {"insn 4 breaks a rule: entry 65535 of micro-programs", [](Program &p) { p.code[4].extra = no_extra; }},
    {"insn 4 breaks a rule: entry 1 of its streams", [](Program &p) { p.code[4].stream_count = 1; }},
    {"insn 5 breaks a rule: it takes no extra", [](Program &p) { p.code[5].extra = 0; }},
    {"insn 1 breaks a rule: loop without endloop", [](Program &p) { p.code.erase(p.code.begin() + 6); }},
    {"insn 5 breaks a rule: endloop without loop", [](Program &p) { p.code.erase(p.code.begin() + 1); }},
    {"insn 2 breaks a rule: it branches across a loop border", [](Program &p) { p.code[2].imm = 4; }},
    {"insn 2 breaks a rule: it branches backward or past the end", [](Program &p) { p.code[2].imm = -1; }},
    {"insn 2 breaks a rule: it branches backward or past the end", [](Program &p) { p.code[2].imm = 5; }},
};

TEST(Validate, EveryRuleIsChecked) {
    for (const Mistake &m : mistakes) {
        Program p = sample_program();
        m.make(p);
        const std::string error = error_of([&] { validate(p); });
        EXPECT_TRUE(error.starts_with("EM121 error: " + std::string(m.message))) << m.message << "\n" << error;
    }
}

TEST(Validate, ContractionNeedsARegisterForModeTwo) {
    Program p = sample_program();
    p.streams.resize(3);
    p.code = {{.op = Opcode::op_contract, .mode = 2, .stream_count = 3}, {.op = Opcode::op_halt}};
    EXPECT_NE(error_of([&] { validate(p); }).find("a register is missing"), std::string::npos);
    p.code[0].ra = 4;
    EXPECT_EQ(error_of([&] { validate(p); }), "");
}

}  // namespace
}  // namespace emulsion
