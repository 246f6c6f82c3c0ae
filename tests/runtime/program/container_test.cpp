// The program file: round trip, determinism, hash, and damage of every kind.
#include "runtime/program/container.h"

#include "runtime/isa/assembler.h"
#include "runtime/program/program_hash.h"
#include "runtime/program/validate.h"
#include "tests/runtime/program/random_program.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(Container, RoundTrips) {
    const Program p = sample_program();
    EXPECT_EQ(read_container(write_container(p)), p);
    EXPECT_EQ(write_container(read_container(write_container(p))), write_container(p));
}

TEST(Container, ReadsFromAnyAddress) {
    const std::vector<uint8_t> bytes = write_container(sample_program());
    std::vector<uint8_t> shifted(1);
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(read_container(std::span(shifted).subspan(1)), sample_program());
}

TEST(Container, RandomValidProgramsComeBackEqual) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        std::mt19937_64 random(seed);
        const Program p = random_valid_program(random);
        ASSERT_EQ(read_container(write_container(p)), p) << "seed " << seed;
    }
}

TEST(Container, ReadingAppliesTheRules) {
    int refused = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        std::mt19937_64 random(seed);
        const Program p = random_program(random);
        const std::string rule = error_of([&] { validate(p); });
        ASSERT_EQ(error_of([&] { read_container(write_container(p)); }), rule) << "seed " << seed;
        refused += !rule.empty();
    }
    EXPECT_GT(refused, 400);
}

TEST(ProgramHash, CoversAllButTheCertificate) {
    const Program p = sample_program();
    Program q = p;
    q.certificate = {};
    EXPECT_EQ(program_hash(p), program_hash(q));
    q.constants[0]++;
    EXPECT_NE(program_hash(p), program_hash(q));
    q = p;
    q.debug[0].line++;
    EXPECT_NE(program_hash(p), program_hash(q));
    q = p;
    q.code[3].wait[0] = 0;
    EXPECT_NE(program_hash(p), program_hash(q));
}

/// Reading must end with a program or a coded error of the loader; the program must survive the next tools.
void read_damaged(const std::vector<uint8_t> &bytes) {
    const std::string error = error_of([&] { assemble(disassemble(read_container(bytes))); });
    ASSERT_TRUE(error.empty() || error.starts_with("EM113 ") || error.starts_with("EM120 ") || error.starts_with("EM121 ")) << error;
}

// Only the padding behind the last string may be missing.
TEST(Container, EveryTruncationIsAnErrorOrCostsNothing) {
    const std::vector<uint8_t> bytes = write_container(sample_program());
    for (size_t size = 0; size < bytes.size(); size++) {
        Program p;
        const std::string error = error_of([&] { p = read_container(std::span(bytes).first(size)); });
        if (size + 4 < bytes.size() || !error.empty()) {
            ASSERT_TRUE(error.starts_with("EM120 ")) << size << " " << error;
        } else {
            ASSERT_EQ(p, sample_program()) << size;
        }
    }
}

TEST(Container, EveryFlippedBitIsHarmless) {
    const std::vector<uint8_t> bytes = write_container(sample_program());
    for (size_t bit = 0; bit < bytes.size() * 8; bit++) {
        std::vector<uint8_t> damaged = bytes;
        damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
        read_damaged(damaged);
    }
}

TEST(Container, RandomBytesAreHarmless) {
    const std::vector<uint8_t> bytes = write_container(sample_program());
    std::mt19937 random(7);
    for (int k = 0; k < 20000; k++) {
        std::vector<uint8_t> damaged = bytes;
        for (int edits = 1 + k % 16; edits > 0; edits--) damaged[random() % damaged.size()] = static_cast<uint8_t>(k % 2 ? random() : 0xff);
        read_damaged(damaged);
    }
    for (int k = 0; k < 2000; k++) {
        std::vector<uint8_t> noise(random() % 300);
        for (uint8_t &b : noise) b = static_cast<uint8_t>(random());
        EXPECT_TRUE(error_of([&] { read_container(noise); }).starts_with("EM120 "));
    }
}

TEST(Container, ReservedBitsAreRefused) {
    const Program p = program_of({{.op = Opcode::op_halt}});
    std::vector<uint8_t> bytes = write_container(p);
    // The code is the only place where 0x01 is followed by fifteen zeros.
    const std::vector<uint8_t> halt{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const auto at = std::search(bytes.begin(), bytes.end(), halt.begin(), halt.end());
    ASSERT_NE(at, bytes.end());
    at[15] = 1;
    EXPECT_TRUE(error_of([&] { read_container(bytes); }).starts_with("EM113 error: reserved bits of halt")) << error_of([&] { read_container(bytes); });
}

}  // namespace
}  // namespace emulsion
