#include "runtime/emulator/control.h"
#include "tests/runtime/emulator/program_builder.h"

#include <gtest/gtest.h>

namespace emulsion::test {
namespace {

/// R1 at each dispatch.
std::vector<int64_t> trace(Builder b, const std::vector<int64_t> &arguments = {}, uint64_t budget = 1000) {
    b.control(Opcode::op_halt);
    ControlWalker walker(b.program, arguments, budget);
    Dispatched d;
    std::vector<int64_t> values;
    while (walker.next(d)) {
        EXPECT_EQ(d.sequence, values.size());
        values.push_back(d.registers[1]);
    }
    return values;
}

int64_t computed(Opcode op, int64_t a, int64_t b) {
    Builder p;
    p.control(Opcode::op_arg, 2, 0xff, 0);
    p.control(Opcode::op_arg, 3, 0xff, 1);
    p.control(op, 1, 2, 0, 3);
    p.control(Opcode::op_sync_ld);
    return trace(p, {a, b}).at(0);
}

TEST(Control, ArithmeticIsEuclideanAndWraps) {
    EXPECT_EQ(computed(Opcode::op_add, INT64_MAX, 1), INT64_MIN);
    EXPECT_EQ(computed(Opcode::op_sub, 3, 5), -2);
    EXPECT_EQ(computed(Opcode::op_mul, -3, 5), -15);
    for (const auto &[a, b] : {std::pair<int64_t, int64_t>{7, 2}, {-7, 2}, {7, -2}, {-7, -2}, {INT64_MIN, 3}}) {
        const int64_t q = computed(Opcode::op_div, a, b), r = computed(Opcode::op_mod, a, b);
        EXPECT_EQ(q * b + r, a);
        EXPECT_TRUE(r >= 0 && r < std::abs(b)) << a << " mod " << b;
    }
    EXPECT_EQ(computed(Opcode::op_div, 5, 0), 0);
    EXPECT_EQ(computed(Opcode::op_mod, 5, 0), 0);
    EXPECT_EQ(computed(Opcode::op_div, INT64_MIN, -1), INT64_MIN);
    EXPECT_EQ(computed(Opcode::op_min, -1, 4), -1);
    EXPECT_EQ(computed(Opcode::op_max, -1, 4), 4);
    EXPECT_EQ(computed(Opcode::op_shl, 3, 4), 48);
    EXPECT_EQ(computed(Opcode::op_shr, -3, 1), -2);
    EXPECT_EQ(computed(Opcode::op_and, 12, 10), 8);
    EXPECT_EQ(computed(Opcode::op_or, 12, 10), 14);
    EXPECT_EQ(computed(Opcode::op_xor, 12, 10), 6);
    EXPECT_EQ(computed(Opcode::op_eq, 4, 4), 1);
    EXPECT_EQ(computed(Opcode::op_ne, 4, 4), 0);
    EXPECT_EQ(computed(Opcode::op_lt, 4, 5), 1);
    EXPECT_EQ(computed(Opcode::op_le, 5, 4), 0);
}

TEST(Control, LoopsCountAndEmptyLoopsAreSkipped) {
    Builder b;
    b.control(Opcode::op_loop, 1, 0xff, 3);
    b.control(Opcode::op_loop, 2, 1);  // as often as the outer loop has turned
    b.control(Opcode::op_sync_ld);
    b.control(Opcode::op_endloop);
    b.control(Opcode::op_endloop);
    EXPECT_EQ(trace(b), (std::vector<int64_t>{1, 2, 2}));
}

TEST(Control, BranchesSkipForward) {
    for (const int64_t condition : {0, 1}) {
        Builder b;
        b.control(Opcode::op_arg, 2, 0xff, 0);
        b.control(Opcode::op_bz, 0xff, 2, 2);
        b.control(Opcode::op_movi, 1, 0xff, 10);
        b.control(Opcode::op_jump, 0xff, 0xff, 1);
        b.control(Opcode::op_movi, 1, 0xff, 20);
        b.control(Opcode::op_sync_ld);
        EXPECT_EQ(trace(b, {condition}), (std::vector<int64_t>{condition ? 10 : 20}));
    }
}

TEST(Control, ScalarsAreSampledAtDispatch) {
    Builder b;
    b.control(Opcode::op_movi, 2, 0xff, 5);
    Domain d = domain({0, 3});
    d.extent[0] = {.imm = 1, .reg = 2};
    Stream s = spm(ElementType::u8, 100, {0, 0});
    s.terms[0] = {2, -7};
    s.stride[1] = {.imm = 2, .reg = 2};
    b.tile(Opcode::op_fill, d, {s});
    b.control(Opcode::op_movi, 2, 0xff, -1);
    b.program.code.push_back(b.program.code[1]);
    b.control(Opcode::op_halt);
    ControlWalker walker(b.program, {});
    Dispatched out;
    ASSERT_TRUE(walker.next(out));
    EXPECT_EQ(out.extent[0], 6);
    EXPECT_EQ(out.stream[0].base, 65);
    EXPECT_EQ(out.stream[0].stride[1], 7);
    EXPECT_EQ(out.points(), 18u);
    EXPECT_EQ(out.control_cycles, 2u);
    ASSERT_TRUE(walker.next(out));
    EXPECT_TRUE(out.empty);
    EXPECT_EQ(out.points(), 0u);
    EXPECT_FALSE(walker.next(out));
}

TEST(Control, OverflowingAddressesAreErrors) {
    const auto fill = [](int64_t value, int64_t scale, int64_t extent) {
        return code_of([&] {
            Builder b;
            b.control(Opcode::op_arg, 2, 0xff, 0);
            Domain d = domain({0});
            d.extent[0] = {.imm = extent, .reg = 2};
            Stream s = spm(ElementType::u8, 1, {1});
            s.terms[0] = {2, scale};
            b.tile(Opcode::op_fill, d, {s});
            trace(b, {value});
        });
    };
    EXPECT_EQ(fill(4, 2, 1), 0);
    EXPECT_EQ(fill(INT64_MAX, 2, 0), 511);
    EXPECT_EQ(fill(INT64_MAX, 1, 0), 511);
    EXPECT_EQ(fill(INT64_MAX, 0, 1), 511);
}

TEST(Control, TheBudgetEndsEndlessWork) {
    Builder b;
    b.control(Opcode::op_loop, 1, 0xff, INT32_MAX);
    b.control(Opcode::op_endloop);
    EXPECT_EQ(code_of([&] { trace(b); }), 513);
}

TEST(Control, MissingArgumentsAreErrors) {
    Builder b;
    b.control(Opcode::op_arg, 1, 0xff, 2);
    EXPECT_EQ(code_of([&] { trace(b, {1, 2}); }), 512);
    EXPECT_EQ(code_of([&] { trace(b, {1, 2, 3}); }), 0);
}

TEST(Control, MalformedProgramsAreRefused) {
    const auto walk = [](auto append, bool halt = true) {
        return code_of([&] {
            Builder b;
            append(b);
            if (halt) b.control(Opcode::op_halt);
            ControlWalker(b.program, {});
        });
    };
    EXPECT_EQ(walk([](Builder &) {}), 0);
    EXPECT_EQ(walk([](Builder &) {}, false), 510) << "no halt";
    EXPECT_EQ(walk([](Builder &b) { b.control(static_cast<Opcode>(0xfe)); }), 510) << "opcode";
    EXPECT_EQ(walk([](Builder &b) { b.control(Opcode::op_endloop); }), 510) << "endloop";
    EXPECT_EQ(walk([](Builder &b) { b.control(Opcode::op_loop, 1, 0xff, 2); }), 510) << "loop";
    EXPECT_EQ(walk([](Builder &b) { b.control(Opcode::op_movi, 32); }), 510) << "register";
    EXPECT_EQ(walk([](Builder &b) { b.control(Opcode::op_add, 1, 0xff); }), 510) << "operand";
    EXPECT_EQ(walk([](Builder &b) { b.control(Opcode::op_jump, 0xff, 0xff, 1); }), 510) << "branch past the end";
    EXPECT_EQ(walk([](Builder &b) { b.control(Opcode::op_jump, 0xff, 0xff, -1); }), 510) << "branch backward";
    EXPECT_EQ(walk([](Builder &b) {
        b.control(Opcode::op_jump, 0xff, 0xff, 1);
        b.control(Opcode::op_loop, 1, 0xff, 2), b.control(Opcode::op_movi, 1), b.control(Opcode::op_endloop);
    }), 510) << "branch into a loop";
    EXPECT_EQ(walk([](Builder &b) { b.tile(Opcode::op_fill, domain({1}), {spm(ElementType::u8, 0, {1})}).domain = 9; }), 510) << "domain";
    EXPECT_EQ(walk([](Builder &b) { b.tile(Opcode::op_fill, domain({1}), {spm(ElementType::u8, 0, {1})}).stream = 9; }), 510) << "stream";
    EXPECT_EQ(walk([](Builder &b) { b.tile(Opcode::op_run, domain({1}), {}); }), 510) << "micro-program";
    EXPECT_EQ(walk([](Builder &b) { b.tile(Opcode::op_load, domain({1}), {spm(ElementType::u8, 0, {1}), ext(3, ElementType::u8, 0, {1})}); }), 510) << "region";
    EXPECT_EQ(walk([](Builder &b) { b.tile(Opcode::op_fill, Domain{}, {spm(ElementType::u8, 0, {1})}); }), 510) << "rank 0";
}

}  // namespace
}  // namespace emulsion::test
