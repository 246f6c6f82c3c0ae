// Queues, tokens, schedules and memory checks.
#include "tests/runtime/emulator/program_builder.h"

#include <gtest/gtest.h>

namespace emulsion::test {
namespace {

constexpr ElementType u8 = ElementType::u8, i32 = ElementType::i32;
constexpr int tiles = 12, tile_bytes = 64;

/// Double-buffered increment of every byte: load, run, store, two slots each. drop: the wait that is left out.
enum class Drop { nothing, run_waits_for_load, load_waits_for_run, store_waits_for_run, run_waits_for_store };

Program ring(Drop drop) {
    Builder b;
    const uint8_t in = b.region(RegionKind::input, "in"), out = b.region(RegionKind::output, "out");
    enum : uint8_t { full_in, free_in, full_out, free_out };
    b.program.tokens = {{0}, {2}, {0}, {2}};
    const auto slot_term = [](Stream s) { return s.terms[0] = {2, tile_bytes}, s; };
    const auto tile_term = [](Stream s) { return s.terms[0] = {1, tile_bytes}, s; };
    const auto wait = [&](Instruction &i, uint8_t token, Drop which) { i.wait[0] = drop == which ? no_token : token; };
    b.control(Opcode::op_loop, 1, 0xff, tiles);
    b.control(Opcode::op_mod, 2, 1, 2);
    b.stage("in_tile");
    Instruction &load = b.tile(Opcode::op_load, domain({tile_bytes}), {slot_term(spm(u8, 0, {1})), tile_term(ext(in, u8, 0, {1}))});
    wait(load, free_in, Drop::load_waits_for_run), load.signal[0] = full_in;
    b.stage("increment");
    Instruction &run = b.micro(Opcode::op_run, domain({tile_bytes}), {slot_term(spm(u8, 0, {1})), slot_term(spm(u8, 512, {1}))},
                               {{.op = MicroOpcode::load, .type = u8}, {.op = MicroOpcode::constant, .type = u8, .imm = 1},
                                {.op = MicroOpcode::add, .type = u8, .a = 0, .b = 1}, {.op = MicroOpcode::store, .type = u8, .stream = 1, .a = 2}});
    wait(run, full_in, Drop::run_waits_for_load);
    run.wait[1] = drop == Drop::run_waits_for_store ? no_token : static_cast<uint8_t>(free_out);
    run.signal = {free_in, full_out};
    b.stage("out_tile");
    Instruction &store = b.tile(Opcode::op_store, domain({tile_bytes}), {tile_term(ext(out, u8, 0, {1})), slot_term(spm(u8, 512, {1}))});
    wait(store, full_out, Drop::store_waits_for_run), store.signal[0] = free_out;
    b.control(Opcode::op_endloop);
    b.control(Opcode::op_halt);
    return b.program;
}

std::vector<uint8_t> run_ring(const Program &p, uint64_t seed, bool sanitize = false) {
    std::vector<uint8_t> in = random_bytes(tiles * tile_bytes, 9), out(in.size());
    const std::vector<RegionMemory> regions{memory_of(in), memory_of(out)};
    interpret(p, small_target(), regions, {}, {.schedule_seed = seed, .sanitize = sanitize});
    return out;
}

std::vector<uint8_t> incremented() {
    std::vector<uint8_t> v = random_bytes(tiles * tile_bytes, 9);
    for (uint8_t &b : v) b++;
    return v;
}

TEST(Schedules, ASafeProgramGivesTheSameBitsUnderAll) {
    const Program p = ring(Drop::nothing);
    for (uint64_t seed = 0; seed < 60; seed++) {
        ASSERT_EQ(run_ring(p, seed), incremented()) << seed;
        ASSERT_EQ(run_ring(p, seed, true), incremented()) << seed;
    }
}

TEST(Schedules, ADroppedWaitShows) {
    for (Drop drop : {Drop::run_waits_for_load, Drop::load_waits_for_run, Drop::store_waits_for_run, Drop::run_waits_for_store}) {
        const Program p = ring(drop);
        int wrong = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) wrong += run_ring(p, seed) != incremented();
        EXPECT_GT(wrong, 0) << static_cast<int>(drop);
    }
}

TEST(Sanitizer, NamesTheReaderOfUnwrittenBytes) {
    std::string text;
    int code = 0;
    for (uint64_t seed = 1; seed <= 40 && !code; seed++)
        code = code_of([&] { run_ring(ring(Drop::run_waits_for_load), seed, true); }, &text);
    EXPECT_EQ(code, 515);
    EXPECT_NE(text.find("the scratchpad"), std::string::npos) << text;
    EXPECT_NE(text.find("increment"), std::string::npos) << text;
    EXPECT_NE(text.find("kernel.cpp:7"), std::string::npos) << text;
}

TEST(Sanitizer, WatchesEverySpaceAndInstruction) {
    const auto fails = [](auto append, RegionKind kind = RegionKind::input) {
        std::vector<uint8_t> bytes(64);
        return code_of([&] {
            Builder b;
            b.region(kind);
            append(b);
            b.run({memory_of(bytes)}, {}, {.sanitize = true});
        });
    };
    const Domain d = domain({4});
    EXPECT_EQ(fails([&](Builder &b) { b.tile(Opcode::op_copy, d, {spm(u8, 0, {1}), spm(u8, 100, {1})}); }), 515);
    EXPECT_EQ(fails([&](Builder &b) { b.tile(Opcode::op_preload, d, {acc(i32, 0, {4}), spm(i32, 0, {4})}); }), 515);
    EXPECT_EQ(fails([&](Builder &b) { b.tile(Opcode::op_contract, d, {acc(i32, 0, {4}), spm(u8, 0, {1}), spm(u8, 8, {1})}).mode = 1; }), 515);
    EXPECT_EQ(fails([&](Builder &b) {
        b.tile(Opcode::op_fill, domain({8}), {spm(u8, 0, {1})}).signal[0] = 0;
        b.tile(Opcode::op_contract, d, {acc(i32, 0, {4}), spm(u8, 0, {1}), spm(u8, 4, {1})}).wait[0] = 0;
    }), 515) << "accumulates on unwritten sums";
    EXPECT_EQ(fails([&](Builder &b) { b.tile(Opcode::op_load, d, {spm(u8, 0, {1}), ext(0, u8, 0, {1})}); }, RegionKind::arena), 515);
    EXPECT_EQ(fails([&](Builder &b) { b.tile(Opcode::op_load, d, {spm(u8, 0, {1}), ext(0, u8, 0, {1})}); }), 0) << "inputs are written";
    EXPECT_EQ(fails([&](Builder &b) { b.micro(Opcode::op_drain, d, {acc(i32, 0, {4})}, {{.op = MicroOpcode::load, .type = i32}}); }), 515);
}

TEST(Memory, RangeErrorsNameOperandBytesAndLimits) {
    std::vector<uint8_t> bytes(100);
    std::string text;
    const auto load = [&](int64_t base, int64_t stride) {
        return code_of([&] {
            Builder b;
            b.region(RegionKind::input, "picture");
            b.stage("window");
            b.tile(Opcode::op_load, domain({10}), {spm(u8, 0, {1}), ext(0, u8, base, {stride})});
            b.run({memory_of(bytes)});
        }, &text);
    };
    EXPECT_EQ(load(0, 11), 0);
    EXPECT_EQ(load(99, -11), 0);
    EXPECT_EQ(load(1, 11), 514);
    for (const char *part : {"instruction 0 (load)", "window", "kernel.cpp:7", "picture", "[1, 101)", "[0, 100)"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    EXPECT_EQ(load(98, -11), 514);
    EXPECT_EQ(load(0, INT64_MAX / 4), 514);
}

TEST(Memory, RegionsMayStartBelowTheirOrigin) {
    std::vector<uint8_t> in{1, 2, 3, 4}, out(4);
    Builder b;
    b.region(RegionKind::input), b.region(RegionKind::output);
    b.tile(Opcode::op_load, domain({4}), {spm(u8, 0, {1}), ext(0, u8, 0, {-1})}).signal[0] = 0;
    b.tile(Opcode::op_store, domain({4}), {ext(1, u8, 0, {1}), spm(u8, 0, {1})}).wait[0] = 0;
    RegionMemory reversed = memory_of(in);
    reversed.origin = 3;
    b.run({reversed, memory_of(out)});
    EXPECT_EQ(out, (std::vector<uint8_t>{4, 3, 2, 1}));
}

TEST(Memory, InputsAndConstantsAreReadOnly) {
    for (RegionKind kind : {RegionKind::input, RegionKind::constants}) {
        std::vector<uint8_t> bytes(4);
        Builder b;
        b.region(kind);
        b.program.constants.resize(4);
        b.tile(Opcode::op_store, domain({4}), {ext(0, u8, 0, {1}), spm(u8, 0, {1})});
        EXPECT_EQ(code_of([&] { b.run({memory_of(bytes)}); }), 519);
    }
}

TEST(Memory, EveryUnboundRegionIsAnError) {
    Builder b;
    b.region(RegionKind::input);
    EXPECT_EQ(code_of([&] { b.run({}); }), 510);
}

TEST(Queues, DeadlockNamesTheStagesThatWait) {
    Builder b;
    b.region(RegionKind::input);
    b.stage("a_tile");
    Instruction &load = b.tile(Opcode::op_load, domain({4}), {spm(u8, 0, {1}), ext(0, u8, 0, {1})});
    load.wait[0] = 0, load.signal[0] = 1;
    b.stage("product");
    Instruction &clear = b.tile(Opcode::op_clear, domain({4}), {acc(i32, 0, {4})});
    clear.wait[0] = 1, clear.signal[0] = 0;
    std::vector<uint8_t> bytes(4);
    std::string text;
    EXPECT_EQ(code_of([&] { b.run({memory_of(bytes)}); }, &text), 516);
    EXPECT_NE(text.find("LD instruction 0 (load, stage \"a_tile\") waits for token 0, which MX instruction 1 (clear, stage \"product\") gives"), std::string::npos) << text;
    EXPECT_NE(text.find("MX instruction 1 (clear, stage \"product\") waits for token 1, which LD instruction 0"), std::string::npos) << text;
}

TEST(Queues, AFullQueueStopsControl) {
    Builder b;
    for (uint32_t i = 0; i < 6; i++) b.control(Opcode::op_sync_ld).wait[0] = 0;
    for (uint32_t i = 0; i < 6; i++) b.control(Opcode::op_sync_vx).signal[0] = 0;
    std::string text;
    EXPECT_EQ(code_of([&] { b.run({}); }, &text), 516) << "depth 4";
    EXPECT_NE(text.find("CTL waits for room"), std::string::npos) << text;
    TargetDesc deep = small_target();
    deep.queue_depth = 6;
    EXPECT_EQ(code_of([&] { b.run({}, {}, {}, deep); }), 0);
}

TEST(Queues, TwoWaitsForOneTokenTakeTwo) {
    Builder b;
    b.control(Opcode::op_sync_vx).wait = {0, 0};
    b.program.tokens = {{1}};
    EXPECT_EQ(code_of([&] { b.run({}); }), 516);
    b.program.tokens = {{2}};
    EXPECT_EQ(code_of([&] { b.run({}); }), 0);
}

}  // namespace
}  // namespace emulsion::test
