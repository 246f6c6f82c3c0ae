// Text and program are inverse; mistakes are placed by line and column; any text gives a program or a coded error.
#include "runtime/isa/assembler.h"
#include "tests/runtime/program/random_program.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(Assembler, RoundTripsRandomPrograms) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        std::mt19937_64 random(seed);
        const Program p = random_program(random);
        const std::string text = disassemble(p);
        ASSERT_EQ(assemble(text), p) << "seed " << seed << "\n" << text;
        ASSERT_EQ(disassemble(assemble(text)), text) << "seed " << seed;
    }
}

TEST(Assembler, EveryInstructionAssemblesFromItsDisassembly) {
    for (const InstructionInfo &row : instruction_table) {
        const Program p = program_of({{.op = row.op}});
        EXPECT_EQ(assemble(disassemble(p)), p) << row.name;
        EXPECT_EQ(disassemble_instruction(p, 0), row.name);
    }
}

TEST(Assembler, TextIsReadable) {
    const Program p = sample_program();
    EXPECT_EQ(disassemble_instruction(p, 3), "load count=2 wait0=1 signal0=0 extra=0");
    const std::string text = disassemble(p);
    EXPECT_NE(text.find("domain 0: rank=2 extent=[64, r3] role=[streamed, reduce]\n"), std::string::npos) << text;
    EXPECT_NE(text.find("stream 1: space=ext type=i8 terms=[r2*64] stride=[1, r4]\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  op 3: store type=i8 stream=1 a=2\n"), std::string::npos) << text;
    EXPECT_NE(text.find("insn 1: loop rd=r2 ra=r3\n"), std::string::npos) << text;
    EXPECT_NE(text.find("data 0: 010203\n"), std::string::npos) << text;
}

TEST(Assembler, SkipsCommentsAndBlankLines) {
    EXPECT_EQ(assemble("# first\n\n  insn 0: halt   # the end\r\n"), program_of({{.op = Opcode::op_halt}}));
    EXPECT_EQ(assemble("insn 0: halt"), program_of({{.op = Opcode::op_halt}}));
}

TEST(Assembler, MistakesHaveCodePlaceAndLegalNames) {
    const struct { const char *text, *message, *place, *advice; } rows[] = {
        {"isns 0: halt", "EM111 error: section \"isns\" is unknown", "t.s:1:1", "insn"},
        {"\ninsn 0: hlat", "EM111 error: instruction \"hlat\" is unknown", "t.s:2:9", "halt movi"},
        {"insn 0: movi rx=1", "EM111 error: field \"rx\" is unknown", "t.s:1:14", "one of rd imm"},
        {"insn 0: movi rd=x1", "EM111 error: register \"x1\" is unknown", "t.s:1:17", "r0 to r31"},
        {"insn 0: movi rd=r255", "EM111 error: register \"r255\"", "t.s:1:17", "r0 to r31"},
        {"micro 0:\n  op 0: ad", "EM111 error: micro-op \"ad\" is unknown", "t.s:2:9", "add sub"},
        {"stream 0: type=i9", "EM111 error: name \"i9\" is unknown", "t.s:1:16", "i8 u8 i16"},
        {"insn 1: halt", "EM110 error: \"1\" where 0, the next entry, is expected", "t.s:1:6", "docs/isa-reference.md"},
        {"op 0: add", "EM110 error: \"0\" where a micro-program before its first op is expected", "t.s:1:4", ""},
        {"token 0: initial", "EM110 error: \"end of line\" where \"=\" is expected", "t.s:1:17", ""},
        {"token 0: initial=1 initial=2", "EM110 error: \"initial\" where a field that is not yet there", "t.s:1:20", ""},
        {"region 0: name=\"a", "where the closing quote is expected", "t.s:1:18", ""},
        {"region 0: name=\"\\q\"", "where \\x and two hexadecimal digits is expected", "t.s:1:17", ""},
        {"domain 0: role=[row row]", "EM110 error: \"row\" where \"]\" is expected", "t.s:1:21", ""},
        {"fill 0: boxed=[1,1,1,1,1,1,1]", "where at most 6 elements is expected", "t.s:1:28", ""},
        {"data 0: 0g", "EM110 error: \"0g\" where pairs of the digits", "t.s:1:9", ""},
        {"program \xff", "EM110 error: \"?\" where a name is expected", "t.s:1:9", ""},
        {"token 0: initial=256", "EM112 error: the number is 256, the range is [0, 255]", "t.s:1:18", ""},
        {"insn 0: contract mode=4", "EM112 error: the number is 4, the range is [0, 3]", "t.s:1:23", ""},
        {"domain 0: extent=[99999999999999999999]", "EM112 error: the number is 99999999999999999999", "t.s:1:19", ""},
        {"domain 0: extent=[r3+x]", "EM110 error: \"x\" where a number is expected", "t.s:1:22", ""}};
    for (const auto &row : rows) {
        const std::string error = error_of([&] { assemble(row.text, "t.s"); });
        EXPECT_NE(error.find(row.message), std::string::npos) << row.text << "\n" << error;
        EXPECT_NE(error.find(std::string("   ") + row.place + "\n"), std::string::npos) << row.text << "\n" << error;
        EXPECT_NE(error.find(row.advice), std::string::npos) << row.text << "\n" << error;
    }
}

TEST(Assembler, AnyTextGivesAProgramOrACodedError) {
    const std::string text = disassemble(sample_program());
    const auto check = [](const std::string &damaged) {
        const std::string error = error_of([&] { assemble(damaged); });
        ASSERT_TRUE(error.empty() || error.starts_with("EM11")) << damaged << "\n" << error;
    };
    for (size_t size = 0; size < text.size(); size++) check(text.substr(0, size));
    std::mt19937 random(6);
    for (int k = 0; k < 20000; k++) {
        std::string damaged = text;
        for (int edits = 1 + k % 4; edits > 0; edits--) {
            const size_t at = random() % damaged.size();
            if (random() % 2) damaged[at] = static_cast<char>(random());
            else damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 8));
        }
        check(damaged);
    }
}

}  // namespace
}  // namespace emulsion
