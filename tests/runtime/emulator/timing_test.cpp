// Unit formulae: cycle counts of single instructions, derived by hand. Every program spends cycle 0 to dispatch.
#include "runtime/emulator/emulator.h"
#include "tests/runtime/emulator/timing_program.h"

#include "runtime/diag/diag.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using B = ProgramBuilder;
constexpr int dispatch = 1;

uint64_t cycles(ProgramBuilder &b, const TargetDesc &t = timing_machine()) {
    return simulate(b.finish(), t, {}).cycles;
}

Diag error_of(ProgramBuilder &b) {
    try {
        simulate(b.finish(), timing_machine(), {});
    } catch (const Error &e) {
        return e.diagnostic().id;
    }
    return Diag::internal_error;
}

TEST(Timing, LoadTakesItsBytesAndThenTheLatency) {
    ProgramBuilder b;
    b.load(1024);
    EXPECT_EQ(cycles(b), dispatch + 1024 / 8 + 100u);
}

TEST(Timing, ShortRunsCostWholeBursts) {
    ProgramBuilder b;
    b.domain({{8}, {10}});
    b.tile(Opcode::op_load,
           {B::stream(Space::spm, ElementType::u8, {1, 8}), B::stream(Space::ext, ElementType::u8, {1, 512})});
    TargetDesc t = timing_machine();
    t.ext.latency = 0;
    const TimingReport r = simulate(b.finish(), t, {});
    EXPECT_EQ(r.cycles, dispatch + 10 * 16 / 8u);
    EXPECT_EQ(r.ext_read, 80u);
}

TEST(Timing, RequestsInFlightLimitScatteredLoads) {
    ProgramBuilder b;
    b.domain({{8}, {10}});
    b.tile(Opcode::op_load,
           {B::stream(Space::spm, ElementType::u8, {1, 8}), B::stream(Space::ext, ElementType::u8, {1, 512})});
    EXPECT_EQ(cycles(b), dispatch + 10 * 100 / 4 + 100u);
}

TEST(Timing, DenseDimensionsMergeInAnyOrder) {
    // Planar order of interleaved RGB: x outside would be 300 runs of one byte, but one burst brings five pixels.
    ProgramBuilder b;
    b.domain({{100}, {3}});
    b.tile(Opcode::op_load,
           {B::stream(Space::spm, ElementType::u8, {1, 100}), B::stream(Space::ext, ElementType::u8, {3, 1})});
    EXPECT_EQ(cycles(b), dispatch + 19 * 16 / 8 + 100u);  // 300 B are 19 bursts
}

TEST(Timing, FlippedRowsAreContiguousToo) {
    ProgramBuilder b;
    b.domain({{64}});
    b.tile(Opcode::op_load,
           {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::ext, ElementType::u8, {-1})});
    // One request of 64 B: 8 cycles at the bandwidth, but the next can only start after latency / outstanding = 25.
    EXPECT_EQ(cycles(b), dispatch + 25 + 100u);
}

TEST(Timing, BytesOutsideTheBoxComeFromNowhere) {
    ProgramBuilder b;
    Fill f{.mode = FillMode::constant};
    f.boxed[0] = true, f.origin[0].imm = -512, f.hi[0].imm = 4096;
    b.program.fills.push_back(f);
    b.domain({{1024}});
    b.tile(Opcode::op_load, {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::ext, ElementType::u8, {1})},
           {}, 0);
    const TimingReport r = simulate(b.finish(), timing_machine(), {});
    EXPECT_EQ(r.ext_read, 512u);
    EXPECT_EQ(r.cycles, dispatch + 512 / 8 + 100u);
}

TEST(Timing, LoadWhollyOutsideTheBoxOnlyWritesTheScratchpad) {
    ProgramBuilder b;
    Fill f{.mode = FillMode::constant};
    f.boxed[0] = true, f.origin[0].imm = 5000, f.hi[0].imm = 4096;
    b.program.fills.push_back(f);
    b.domain({{640}});
    b.tile(Opcode::op_load, {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::ext, ElementType::u8, {1})},
           {}, 0);
    EXPECT_EQ(cycles(b), dispatch + 640 / 64u);
}

TEST(Timing, FillWritesAndCopyReadsAndWritesTheScratchpad) {
    ProgramBuilder fill, copy;
    fill.domain({{640}});
    fill.tile(Opcode::op_fill, {B::stream(Space::spm, ElementType::u8, {1})});
    EXPECT_EQ(cycles(fill), dispatch + 10u);
    copy.domain({{640}});
    copy.tile(Opcode::op_copy,
              {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::spm, ElementType::u8, {1})});
    EXPECT_EQ(cycles(copy), dispatch + 20u);
}

TEST(Timing, SystolicStreamsEveryPixelThroughEveryWeightTile) {
    ProgramBuilder b;
    b.matmul(100, 16, 32);  // 2 weight tiles; the first one's load, 16 x 16 / 16 cycles, hides behind nothing
    const TimingReport r = simulate(b.finish(), timing_machine(), {});
    EXPECT_EQ(r.cycles, dispatch + 16 + 2 * 100 + 30u);
    EXPECT_EQ(r.macs, 100u * 16 * 32);
    EXPECT_EQ(r.mac_cycles, 200u);
}

TEST(Timing, RaggedWeightTilesCostWholePasses) {
    ProgramBuilder b;
    b.matmul(100, 17, 33);
    EXPECT_EQ(cycles(b), dispatch + 16 + 3 * 2 * 100 + 30u);
}

TEST(Timing, FewPixelsWaitForTheNextWeights) {
    ProgramBuilder b;
    b.matmul(4, 16, 32);
    EXPECT_EQ(cycles(b), dispatch + 16 + 2 * 16 + 30u);
}

TEST(Timing, BackToBackContractionsHideTheFirstWeights) {
    ProgramBuilder b;
    b.matmul(100, 16, 32);
    b.matmul(100, 16, 32);
    EXPECT_EQ(cycles(b), dispatch + 16 + 2 * 200 + 30u);
}

TEST(Timing, WiderTypesSlowTheArray) {
    ProgramBuilder b;
    b.matmul(100, 16, 16, ElementType::i16);  // weights are 512 B: 32 cycles
    const TimingReport r = simulate(b.finish(), timing_machine(), {});
    EXPECT_EQ(r.cycles, dispatch + 32 + 4 * 100 + 30u);
    EXPECT_EQ(r.mac_cycles, 400u);
}

TEST(Timing, TypeThatTheArrayLacksIsAnError) {
    ProgramBuilder b;
    b.matmul(4, 4, 4, ElementType::f32);
    EXPECT_EQ(error_of(b), Diag::types_illegal);
}

TEST(Timing, MissingOperandIsAnError) {
    ProgramBuilder b;
    b.domain({{4}});
    b.tile(Opcode::op_load, {B::stream(Space::spm, ElementType::u8, {1})});
    EXPECT_EQ(error_of(b), Diag::program_malformed);
}

// x 10, y 10, channels 64, taps 9.
void depthwise(ProgramBuilder &b) {
    b.domain({{10}, {10}, {64, Role::group}, {3, Role::tap}, {3, Role::tap}});
    b.tile(Opcode::op_contract, {B::stream(Space::acc, ElementType::i32, {4, 40, 400, 0, 0}),
                                 B::stream(Space::spm, ElementType::i8, {1, 12, 144, 1, 12}),
                                 B::stream(Space::spm, ElementType::i8, {0, 0, 9, 1, 3})});
}

TEST(Timing, GroupsWithoutColumnsRunOnTheDepthwiseMultipliers) {
    ProgramBuilder b;
    depthwise(b);
    const TimingReport r = simulate(b.finish(), timing_machine(), {});
    EXPECT_EQ(r.cycles, dispatch + 100 * 64 * 9 / 32u);
    EXPECT_EQ(r.mac_cycles, 100u * 64 * 9 / 32);
}

TargetDesc dot_machine() {
    TargetDesc t = timing_machine();
    t.array.kind = "dot_product";
    t.array.rows = t.array.columns = 8;
    t.array.pixels_x = t.array.pixels_y = 2;
    t.array.weight_bytes_per_cycle = 8;
    t.array.step_overhead = 2;
    return t;
}

TEST(Timing, DotProductRoundsEveryDimensionUp) {
    ProgramBuilder b;  // 7x5 pixels, 12 columns, 20 rows, 3 taps
    b.domain({{7}, {5}, {12, Role::column}, {20, Role::row}, {3, Role::tap}});
    b.tile(Opcode::op_contract, {B::stream(Space::acc, ElementType::i32, {4, 28, 140, 0, 0}),
                                 B::stream(Space::spm, ElementType::i8, {1, 9, 0, 63, 1}),
                                 B::stream(Space::spm, ElementType::i8, {0, 0, 1, 12, 240})});
    EXPECT_EQ(cycles(b, dot_machine()), dispatch + (4 * 3) * 2 * 3 * 3u);
}

TEST(Timing, DotProductOfOnePixelPaysForEachStep) {
    ProgramBuilder b;  // fully connected 64 -> 32: 8 x 4 steps of 1 + 2 cycles; decoding 2048 weights takes longer
    b.matmul(1, 32, 64);
    EXPECT_EQ(cycles(b, dot_machine()), dispatch + 2048 / 8 + 32 * 2u);
}

TEST(Timing, OneStreamedIndexFillsAllPixels) {
    ProgramBuilder b;
    b.matmul(100, 8, 8);
    EXPECT_EQ(cycles(b, dot_machine()), dispatch + 25u);
}

TEST(Timing, ClearAndPreloadWriteARowOfColumnsPerCycle) {
    ProgramBuilder clear, preload;
    clear.domain({{160}});
    clear.tile(Opcode::op_clear, {B::stream(Space::acc, ElementType::i32, {4})});
    EXPECT_EQ(cycles(clear), dispatch + 10u);
    preload.domain({{160}});
    preload.tile(Opcode::op_preload,
                 {B::stream(Space::acc, ElementType::i32, {4}), B::stream(Space::spm, ElementType::i32, {4})});
    EXPECT_EQ(cycles(preload), dispatch + 10u);  // 640 B at 64 B/cycle take as long
}

MicroProgram convert_to(ElementType type) {
    return {{.op = MicroOpcode::load, .type = ElementType::i32, .stream = 1},
            {.op = MicroOpcode::saturate, .type = type, .from = ElementType::i32, .a = 0},
            {.op = MicroOpcode::store, .type = type, .stream = 0, .a = 1}};
}

uint64_t drain_cycles(ElementType type) {
    ProgramBuilder b;
    const uint16_t m = b.micro(convert_to(type));
    b.domain({{256}});
    b.tile(Opcode::op_drain,
           {B::stream(Space::spm, type, {info(type).bytes}), B::stream(Space::acc, ElementType::i32, {4})}, {}, m);
    return cycles(b);
}

TEST(Timing, OutputUnitRateFallsWithTheWidthOfResults) {
    EXPECT_EQ(drain_cycles(ElementType::i8), dispatch + 256 / 16 + 4u);
    EXPECT_EQ(drain_cycles(ElementType::i16), dispatch + 256 / 8 + 4u);
    EXPECT_EQ(drain_cycles(ElementType::i32), dispatch + 256 / 4 + 4u);
}

// out = (u8) ((i16) a + (i16) b)
MicroProgram widening_add() {
    return {{.op = MicroOpcode::load, .type = ElementType::u8, .stream = 1},
            {.op = MicroOpcode::load, .type = ElementType::u8, .stream = 1, .imm = 1},
            {.op = MicroOpcode::convert, .type = ElementType::i16, .from = ElementType::u8, .a = 0},
            {.op = MicroOpcode::convert, .type = ElementType::i16, .from = ElementType::u8, .a = 1},
            {.op = MicroOpcode::add, .type = ElementType::i16, .a = 2, .b = 3},
            {.op = MicroOpcode::saturate, .type = ElementType::u8, .from = ElementType::i16, .a = 4},
            {.op = MicroOpcode::store, .type = ElementType::u8, .stream = 0, .a = 5}};
}

TEST(Timing, VectorOperationsIssueByTheLanesOfTheirWidth) {
    ProgramBuilder b;
    const uint16_t m = b.micro(widening_add());
    b.domain({{100}, {2}});
    b.tile(Opcode::op_run,
           {B::stream(Space::spm, ElementType::u8, {1, 100}), B::stream(Space::spm, ElementType::u8, {1, 100})}, {}, m);
    EXPECT_EQ(cycles(b), dispatch + 4 * 13 + 6u);  // 4 slots of 16-bit lanes: ceil(200 / 16) = 13
}

TEST(Timing, VectorCopiesRunAtScratchpadBandwidth) {
    ProgramBuilder b;
    const uint16_t m = b.micro({{.op = MicroOpcode::load, .type = ElementType::u8, .stream = 1},
                                {.op = MicroOpcode::store, .type = ElementType::u8, .stream = 0, .a = 0}});
    b.domain({{640}});
    b.tile(Opcode::op_run, {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::spm, ElementType::u8, {1})},
           {}, m);
    EXPECT_EQ(cycles(b), dispatch + 2 * 640 / 64 + 6u);
}

MicroProgram accumulate() {
    return {{.op = MicroOpcode::load, .type = ElementType::i32, .stream = 0},
            {.op = MicroOpcode::load, .type = ElementType::i32, .stream = 1},
            {.op = MicroOpcode::add, .type = ElementType::i32, .a = 0, .b = 1},
            {.op = MicroOpcode::store, .type = ElementType::i32, .stream = 0, .a = 2}};
}

uint64_t sum_cycles(int64_t outputs, int64_t reduced, Role role) {
    ProgramBuilder b;
    const uint16_t m = b.micro(accumulate());
    b.domain({{reduced, role}, {outputs}});
    b.tile(Opcode::op_run,
           {B::stream(Space::spm, ElementType::i32, {0, 4}), B::stream(Space::spm, ElementType::i32, {4, 4 * reduced})},
           {}, m);
    TargetDesc t = timing_machine();
    t.spm_bytes_per_cycle = 1 << 20;
    return cycles(b, t);
}

TEST(Timing, SerialIndicesRunOneAfterAnother) {
    EXPECT_EQ(sum_cycles(8, 100, Role::serial), dispatch + 100 + 6u);
    EXPECT_EQ(sum_cycles(9, 100, Role::serial), dispatch + 200 + 6u);
}

TEST(Timing, ReductionsTakeTheShorterOfTwoWays) {
    EXPECT_EQ(sum_cycles(8, 100, Role::reduce), dispatch + 100 + 6u);     // outputs in the lanes
    EXPECT_EQ(sum_cycles(1, 100, Role::reduce), dispatch + 13 + 3 + 6u);  // elements in the lanes, tree of 8
}

TEST(Timing, DataIndexedLoadsIssueOncePerVectorOfAddresses) {
    ProgramBuilder b;
    const uint16_t m = b.micro({{.op = MicroOpcode::load, .type = ElementType::i32, .stream = 1},
                                {.op = MicroOpcode::load, .type = ElementType::u8, .stream = 2, .a = 0},
                                {.op = MicroOpcode::store, .type = ElementType::u8, .stream = 0, .a = 1}});
    b.domain({{640}});
    b.tile(Opcode::op_run,
           {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::spm, ElementType::i32, {4}),
            B::stream(Space::spm, ElementType::u8, {0})},
           {}, m);
    TargetDesc t = timing_machine();
    t.spm_bytes_per_cycle = 1 << 20;
    EXPECT_EQ(cycles(b, t), dispatch + 640 / 8 + 6u);
}

TEST(Timing, EmptyDomainsTakeNoTime) {
    ProgramBuilder b;
    b.load(0);
    EXPECT_EQ(cycles(b), dispatch + 1u);  // the cycle of halt
}

TEST(Timing, EnergyIsEventsTimesConstants) {
    ProgramBuilder b;
    b.load(1024);
    b.matmul(100, 16, 32);
    TargetDesc t = timing_machine();
    t.energy = {.mac_i8 = 2, .spm_byte = 3, .ext_byte = 5, .issue = 7, .static_per_cycle = 11};
    const TimingReport r = simulate(b.finish(), t, {});
    const double scratchpad = 1024 + 100 * 32 + 16 * 32;
    EXPECT_DOUBLE_EQ(r.energy_pj, 2.0 * r.macs + 3 * scratchpad + 5 * 1024 + 7 * 3 + 11.0 * r.cycles);
}

}  // namespace
}  // namespace emulsion
