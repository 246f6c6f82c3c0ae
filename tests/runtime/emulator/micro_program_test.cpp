// run and drain: the order of points, aliased operands, data-indexed accesses. Reference: one point after the other.
#include "tests/runtime/emulator/program_builder.h"

#include <gtest/gtest.h>

namespace emulsion::test {
namespace {

using Op = MicroOpcode;
constexpr ElementType i32 = ElementType::i32, u8 = ElementType::u8;

/// Runs `micro` on a scratchpad that holds `values`, and returns what it holds afterwards.
std::vector<int32_t> run_on(std::vector<int32_t> values, const Domain &d, std::initializer_list<Stream> streams, const MicroProgram &micro) {
    std::vector<int32_t> out(values.size());
    const auto n = static_cast<int64_t>(values.size());
    Builder b;
    const uint8_t in_region = b.region(RegionKind::input), out_region = b.region(RegionKind::output);
    b.tile(Opcode::op_load, domain({n}), {spm(i32, 0, {4}), ext(in_region, i32, 0, {4})}).signal[0] = 0;
    Instruction &run = b.micro(Opcode::op_run, d, streams, micro);
    run.wait[0] = 0, run.signal[0] = 1;
    b.tile(Opcode::op_store, domain({n}), {ext(out_region, i32, 0, {4}), spm(i32, 0, {4})}).wait[0] = 1;
    b.run({memory_of(values), memory_of(out)});
    return out;
}

std::vector<int32_t> counting(int n) {
    std::vector<int32_t> v(n);
    for (int i = 0; i < n; i++) v[i] = i * 7 % 23 - 5;
    return v;
}

MicroProgram sum_into(uint8_t out) {
    return {{.op = Op::load, .type = i32, .stream = 0}, {.op = Op::load, .type = i32, .stream = 1},
            {.op = Op::add, .type = i32, .a = 0, .b = 1}, {.op = Op::store, .type = i32, .stream = out, .a = 2}};
}

TEST(Run, PrefixSumReadsWhatThePointBeforeWrote) {
    const auto out = run_on(counting(2000), domain({1999}), {spm(i32, 0, {4}), spm(i32, 4, {4})}, sum_into(1));
    auto want = counting(2000);
    for (int i = 1; i < 2000; i++) want[i] += want[i - 1];
    EXPECT_EQ(out, want);
}

TEST(Run, PrefixSumsOfRowsAreIndependent) {
    const auto out = run_on(counting(40 * 50), domain({39, 50}), {spm(i32, 0, {4, 160}), spm(i32, 4, {4, 160})}, sum_into(1));
    auto want = counting(40 * 50);
    for (int y = 0; y < 50; y++)
        for (int x = 1; x < 40; x++) want[40 * y + x] += want[40 * y + x - 1];
    EXPECT_EQ(out, want);
}

TEST(Run, InPlaceShiftTowardLowerAddressesReadsOldValues) {
    const auto out = run_on(counting(1000), domain({999}), {spm(i32, 0, {4}), spm(i32, 4, {4})},
                            {{.op = Op::load, .type = i32, .stream = 1}, {.op = Op::store, .type = i32, .stream = 0, .a = 0}});
    auto want = counting(1000);
    for (int i = 0; i < 999; i++) want[i] = want[i + 1];
    EXPECT_EQ(out, want);
}

TEST(Run, BroadcastOutputAccumulates) {
    const auto out = run_on(counting(600), domain({599}), {spm(i32, 0, {0}), spm(i32, 4, {4})}, sum_into(0));
    auto want = counting(600);
    for (int i = 1; i < 600; i++) want[0] += want[i];
    EXPECT_EQ(out, want);
}

TEST(Run, HistogramThroughAnIndexedStore) {
    Stream bins = spm(i32, 0, {0}), values = spm(i32, 64, {4});
    bins.window_hi = 64;
    auto memory = counting(16 + 500);
    for (int i = 16; i < 516; i++) memory[i] = (i * i) % 16;
    const auto out = run_on(memory, domain({500}), {bins, values},
                            {{.op = Op::load, .type = i32, .stream = 1}, {.op = Op::constant, .type = i32, .imm = 4}, {.op = Op::mul, .type = i32, .a = 0, .b = 1},
                             {.op = Op::load, .type = i32, .stream = 0, .a = 2}, {.op = Op::constant, .type = i32, .imm = 1}, {.op = Op::add, .type = i32, .a = 3, .b = 4},
                             {.op = Op::store, .type = i32, .stream = 0, .a = 5, .b = 2}});
    auto want = memory;
    for (int i = 16; i < 516; i++) want[memory[i]]++;
    EXPECT_EQ(out, want);
}

TEST(Run, PredicatedStoreLeavesOtherElements) {
    const auto out = run_on(counting(300), domain({300}), {spm(i32, 0, {4})},
                            {{.op = Op::load, .type = i32}, {.op = Op::constant, .type = i32, .imm = 0}, {.op = Op::lt, .type = i32, .a = 0, .b = 1},
                             {.op = Op::store, .type = i32, .a = 1, .c = 2}});
    auto want = counting(300);
    for (int32_t &v : want) v = std::max(v, 0);
    EXPECT_EQ(out, want);
}

TEST(Run, IndexedLoadOutsideItsWindowIsAnError) {
    Stream table = spm(i32, 0, {0});
    table.window_hi = 16;
    const auto lookup = [&](int32_t index) {
        return code_of([&] {
            run_on(std::vector<int32_t>(64, index), domain({4}), {table, spm(i32, 128, {4})},
                   {{.op = Op::load, .type = i32, .stream = 1}, {.op = Op::load, .type = i32, .stream = 0, .a = 0}});
        });
    };
    EXPECT_EQ(lookup(0), 0);
    EXPECT_EQ(lookup(12), 0);
    EXPECT_EQ(lookup(13), 514);
    EXPECT_EQ(lookup(-1), 514);
}

TEST(Run, WindowsMoveWithThePoint) {
    Stream rows = spm(i32, 0, {16});
    rows.window_hi = 16;  // row p holds elements 4 p .. 4 p + 3
    const auto memory = counting(64);
    const auto out = run_on(memory, domain({8}), {rows, spm(i32, 128, {4})},
                            {{.op = Op::constant, .type = i32, .imm = 12}, {.op = Op::load, .type = i32, .stream = 0, .a = 0},
                             {.op = Op::store, .type = i32, .stream = 1, .a = 1}});
    for (int p = 0; p < 8; p++) EXPECT_EQ(out[32 + p], memory[4 * p + 3]);
}

TEST(Run, MalformedMicroProgramsAreRefused) {
    const auto run = [](const MicroProgram &micro) { return code_of([&] { run_on(counting(8), domain({2}), {spm(i32, 0, {4})}, micro); }); };
    const MicroOp load{.op = Op::load, .type = i32};
    EXPECT_EQ(run({load}), 0);
    EXPECT_EQ(run({{.op = Op::add, .type = i32, .a = 0, .b = 0}}), 510) << "uses itself";
    EXPECT_EQ(run({load, {.op = Op::add, .type = i32, .a = 0}}), 510) << "second operand missing";
    EXPECT_EQ(run({load, {.op = Op::add, .type = u8, .a = 0, .b = 0}}), 510) << "operand of another type";
    EXPECT_EQ(run({{.op = Op::load, .type = u8}}), 510) << "stream of another type";
    EXPECT_EQ(run({{.op = Op::load, .type = i32, .stream = 1}}), 510) << "no such stream";
    EXPECT_EQ(run({{.op = static_cast<Op>(0xff), .type = i32}}), 510) << "no such micro-op";
    EXPECT_EQ(run({{.op = Op::scalar, .type = i32, .mode = 32}}), 517) << "no such register";
}

// Random programs of loads, adds and stores on overlapping streams. The reference does one point after the other, so this
// catches any block that ran points side by side which meet in memory.
TEST(Run, RandomAliasesBehaveAsIfPointsRanInOrder) {
    std::mt19937 random(11);
    for (int n = 0; n < 1500; n++) {
        Domain d;
        d.rank = 1 + random() % 3;
        for (int k = 0; k < d.rank; k++) d.extent[k].imm = 1 + random() % 7;
        std::vector<Stream> streams;
        const int64_t some[] = {0, 4, -4, 8, 12, 28, 32, -32, 2};
        for (int s = 0; s < 3; s++) {
            Stream t = spm(i32, 800 + 4 * static_cast<int64_t>(random() % 12), {});
            for (int k = 0; k < d.rank; k++) t.stride[k].imm = s && random() % 2 ? streams[0].stride[k].imm : some[random() % 9];
            streams.push_back(t);
        }
        MicroProgram micro;
        std::vector<uint16_t> values;
        for (int k = 0; k < 6; k++) {
            const auto number = static_cast<uint16_t>(micro.size());
            const auto pick = [&] { return values[random() % values.size()]; };
            MicroOp op{.op = Op::load, .type = i32, .stream = static_cast<uint8_t>(random() % 3), .imm = 4 * static_cast<int64_t>(random() % 3) - 4};
            if (k >= 2 && random() % 2) op = {.op = Op::store, .type = i32, .stream = static_cast<uint8_t>(random() % 3), .a = pick(), .imm = 4 * static_cast<int64_t>(random() % 2)};
            else if (k >= 2 && random() % 2) op = {.op = Op::add, .type = i32, .a = pick(), .b = pick()};
            if (op.op != Op::store) values.push_back(number);
            micro.push_back(op);
        }
        micro.push_back({.op = Op::store, .type = i32, .stream = static_cast<uint8_t>(random() % 3), .a = values.back()});
        const auto start = counting(500);
        std::vector<int32_t> want = start;
        auto *bytes = reinterpret_cast<uint8_t *>(want.data());
        const auto extent = [&](int k) { return k < d.rank ? d.extent[k].imm : 1; };
        for (int64_t z = 0; z < extent(2); z++)
            for (int64_t y = 0; y < extent(1); y++)
                for (int64_t x = 0; x < extent(0); x++) {
                    std::vector<int32_t> lane(micro.size());
                    for (size_t k = 0; k < micro.size(); k++) {
                        const MicroOp &op = micro[k];
                        const Stream &s = streams[op.stream];
                        uint8_t *at = bytes + s.base + op.imm + x * s.stride[0].imm + y * s.stride[1].imm + z * s.stride[2].imm;
                        if (op.op == Op::load) std::memcpy(&lane[k], at, 4);
                        else if (op.op == Op::store) std::memcpy(at, &lane[op.a], 4);
                        else lane[k] = static_cast<int32_t>(static_cast<uint32_t>(lane[op.a]) + static_cast<uint32_t>(lane[op.b]));
                    }
                }
        ASSERT_EQ(run_on(start, d, {streams[0], streams[1], streams[2]}, micro), want) << "case " << n;
    }
}

}  // namespace
}  // namespace emulsion::test
