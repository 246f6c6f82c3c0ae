// Every row of the instruction table encodes, decodes and stays apart from every other row.
#include "runtime/isa/encode.h"
#include "runtime/isa/instruction_fields.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace emulsion {
namespace {

Instruction random_instruction(const InstructionInfo &row, std::mt19937_64 &random) {
    Instruction i{.op = row.op};
    for (const InstructionField &f : fields_of(row)) {
        std::uniform_int_distribution<int64_t> any(f.lowest(), f.highest());
        const int64_t values[] = {any(random), f.lowest(), f.highest(), f.unused};
        const int64_t v = values[random() % 4];
        f.set(i, v >= f.lowest() && v <= f.highest() ? v : f.lowest());
    }
    return i;
}

TEST(EveryInstruction, DecodesToWhatWasEncoded) {
    std::mt19937_64 random(1);
    for (const InstructionInfo &row : instruction_table)
        for (int k = 0; k < 200; k++) {
            const Instruction i = random_instruction(row, random);
            ASSERT_EQ(decode(encode(i)), i) << row.name;
        }
}

TEST(EveryInstruction, IsFoundByItsOpcode) {
    for (const InstructionInfo &row : instruction_table) EXPECT_EQ(find_instruction(row.op), &row) << row.name;
    EXPECT_EQ(find_instruction(static_cast<Opcode>(0xee)), nullptr);
}

TEST(Encodings, NeverOverlap) {
    std::set<Opcode> codes;
    std::set<std::string_view> names;
    for (const InstructionInfo &row : instruction_table) {
        EXPECT_TRUE(codes.insert(row.op).second) << row.name;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
    }
}

TEST(Encodings, FieldsOfOneInstructionShareNoBit) {
    for (const InstructionInfo &row : instruction_table) {
        std::set<int> bits{0, 1, 2, 3, 4, 5, 6, 7};  // the opcode
        for (const InstructionField &f : fields_of(row))
            for (int b = 0; b < f.bits; b++) EXPECT_TRUE(bits.insert(f.byte * 8 + b).second) << row.name << " " << f.name;
        EXPECT_LT(*bits.rbegin(), instruction_bytes * 8) << row.name;
    }
}

// A bit that belongs to no field must be refused; any other flip must give another instruction.
TEST(Encodings, EveryBitCounts) {
    for (const InstructionInfo &row : instruction_table) {
        const Instruction i{.op = row.op};
        for (int bit = 8; bit < instruction_bytes * 8; bit++) {
            InstructionBytes bytes = encode(i);
            bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            Instruction other = i;
            const std::string error = error_of([&] { other = decode(bytes); });
            if (error.empty()) EXPECT_NE(other, i) << row.name << " bit " << bit;
            else EXPECT_NE(error.find("EM113 error: reserved bits of " + std::string(row.name)), std::string::npos) << error;
        }
    }
}

TEST(Encode, RefusesWhatItCannotHold) {
    EXPECT_NE(error_of([] { encode({.op = Opcode::op_halt, .imm = 1}); }).find("EM121 error: instruction halt"), std::string::npos);
    EXPECT_NE(error_of([] { encode({.op = Opcode::op_contract, .mode = 4}); }).find("EM121"), std::string::npos);
    EXPECT_NE(error_of([] { encode({.op = static_cast<Opcode>(0xee)}); }).find("opcode 0xee"), std::string::npos);
}

}  // namespace
}  // namespace emulsion
