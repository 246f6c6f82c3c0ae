// Queues, tokens, shared bandwidth: what instructions do to each other. Cycle counts derived by hand.
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/timing_bound.h"
#include "runtime/emulator/trace.h"
#include "tests/runtime/emulator/timing_program.h"

#include "runtime/diag/diag.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

namespace emulsion {
namespace {

using B = ProgramBuilder;

TimingReport report(ProgramBuilder &b, const TargetDesc &t = timing_machine(), const TimingOptions &options = {}) {
    return simulate(b.finish(), t, {}, options);
}

const QueueReport &of(const TimingReport &r, Queue q) { return r.queue[static_cast<int>(q)]; }

TEST(TimingEngine, ControlTakesOneCyclePerInstruction) {
    ProgramBuilder b;
    b.loop(10);
    b.control({.op = Opcode::op_add, .rd = 1, .ra = 1, .imm = 3});
    b.end_loop();
    const TimingReport r = report(b);
    EXPECT_EQ(r.cycles, 1 + 10 * 2 + 1u);
    EXPECT_EQ(of(r, Queue::CTL).busy, r.cycles);
}

TEST(TimingEngine, LatencyIsPipelined) {
    ProgramBuilder b;
    for (int k = 0; k < 3; k++) b.load(1024);
    EXPECT_EQ(report(b).cycles, 1 + 3 * 128 + 100u);
}

TEST(TimingEngine, LoadAndStoreShareTheExternalBandwidth) {
    ProgramBuilder b;
    b.load(1024);   // starts at 1, alone for one cycle
    b.store(1024);  // starts at 2; both at half speed until the load ends at 256, then the last 8 bytes alone
    const TimingReport r = report(b);
    EXPECT_EQ(r.cycles, 257 + 100u);
    EXPECT_EQ(of(r, Queue::LD).busy, 255u);
    EXPECT_EQ(of(r, Queue::LD).stretched, 127u);
    EXPECT_EQ(of(r, Queue::ST).stretched, 127u);
}

TEST(TimingEngine, UnitsShareTheScratchpad) {
    ProgramBuilder b;  // each alone takes 100 cycles of the full scratchpad bandwidth
    b.domain({{6400}});
    b.tile(Opcode::op_fill, {B::stream(Space::spm, ElementType::u8, {1})});
    b.domain({{3200}});
    b.tile(Opcode::op_copy, {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::spm, ElementType::u8, {1})});
    EXPECT_EQ(report(b).cycles, 1 + 200u);
}

TEST(TimingEngine, InstructionsBelowTheCapacityDoNotDisturbEachOther) {
    ProgramBuilder b;
    b.load(1024);            // 8 B/cycle of the scratchpad
    b.matmul(1000, 16, 16);  // about 16 B/cycle
    const TimingReport r = report(b);
    EXPECT_EQ(of(r, Queue::LD).stretched, 0u);
    EXPECT_EQ(of(r, Queue::MX).stretched, 0u);
}

TEST(TimingEngine, SignalsComeAtCompletion) {
    ProgramBuilder b;
    const uint8_t full = b.token();
    b.load(1024, {.wait = {}, .signal = {full}});
    b.matmul(100, 16, 16, ElementType::i8, {.wait = {full}, .signal = {}});
    const TimingReport r = report(b);
    EXPECT_EQ(r.cycles, 1 + 128 + 100 + 16 + 100 + 30u);
    EXPECT_EQ(of(r, Queue::MX).wait_token, 229u - 2);
    EXPECT_EQ(of(r, Queue::MX).wait_for[static_cast<int>(Queue::LD)], 229u - 2);
}

TEST(TimingEngine, SyncCompletesAfterEverythingBeforeIt) {
    ProgramBuilder b;
    const uint8_t done = b.token();
    b.load(1024);
    b.sync(Opcode::op_sync_ld, {.wait = {}, .signal = {done}});
    b.domain({{64}});
    b.tile(Opcode::op_copy, {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::spm, ElementType::u8, {1})},
           {.wait = {done}, .signal = {}});
    EXPECT_EQ(report(b).cycles, 1 + 128 + 100 + 2u);
}

TEST(TimingEngine, WaitingTwiceForOneTokenTakesTwo) {
    ProgramBuilder b;
    const uint8_t t = b.token(1);
    b.load(1024, {.wait = {}, .signal = {t}});
    b.domain({{64}});
    b.tile(Opcode::op_copy, {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::spm, ElementType::u8, {1})},
           {.wait = {t, t}, .signal = {}});
    EXPECT_EQ(report(b).cycles, 1 + 128 + 100 + 2u);
}

TEST(TimingEngine, FullQueueStopsControl) {
    ProgramBuilder b;
    for (int k = 0; k < 8; k++) b.load(1024);
    // Queue of 4: the first load leaves it at once, four wait; the sixth, seventh and eighth enter as others start.
    b.store(16);
    const TimingReport r = report(b);
    EXPECT_EQ(of(r, Queue::CTL).wait_issue, (1 + 3 * 128) - 8u);
    EXPECT_EQ(of(r, Queue::CTL).busy, 10u);
}

TEST(TimingEngine, DeeperQueueFreesControl) {
    ProgramBuilder b;
    for (int k = 0; k < 8; k++) b.load(1024);
    TargetDesc t = timing_machine();
    t.queue_depth = 8;
    EXPECT_EQ(of(report(b, t), Queue::CTL).wait_issue, 0u);
}

// 16 turns of load 1024 B (128 cycles + latency 100), contract (128 cycles + skew 30), with `slots` buffers.
uint64_t buffered_cycles(uint8_t slots) {
    ProgramBuilder b;
    const uint8_t full = b.token(), free = b.token(slots);
    b.loop(16);
    b.load(1024, {.wait = {free}, .signal = {full}});
    b.matmul(128, 16, 16, ElementType::i8, {.wait = {full}, .signal = {free}});
    b.end_loop();
    return report(b).cycles;
}

TEST(TimingEngine, DoubleBufferingOverlapsLoadsWithWork) {
    const uint64_t turn = 128 + 100 + 16 + 128 + 30;  // load, latency, weights, contract, skew
    EXPECT_EQ(buffered_cycles(1), 2 + 16 * turn);
    // Two slots: a turn is one round of the ring, load to the free signal, every two turns.
    EXPECT_NEAR(static_cast<double>(buffered_cycles(2)), 16 / 2.0 * turn, turn);
    // With slots for the whole latency the longer of the two engines is all that shows.
    EXPECT_NEAR(static_cast<double>(buffered_cycles(4)), 16 * 128 + 100 + 16 + 128 + 30, 40);
}

TEST(TimingEngine, QueueTimesAddUp) {
    ProgramBuilder b;
    const uint8_t full = b.token(), free = b.token(2);
    b.loop(16);
    b.load(1024, {.wait = {free}, .signal = {full}});
    b.matmul(50, 16, 64, ElementType::i8, {.wait = {full}, .signal = {free}});
    b.end_loop();
    const TimingReport r = report(b);
    for (Queue q : {Queue::LD, Queue::MX, Queue::VX})
        EXPECT_EQ(of(r, q).busy + of(r, q).wait_token + of(r, q).wait_issue, r.cycles);
    EXPECT_EQ(of(r, Queue::LD).instructions, 16u);
    EXPECT_EQ(of(r, Queue::LD).wait_for[static_cast<int>(Queue::MX)], of(r, Queue::LD).wait_token);
}

TEST(TimingEngine, ExtentsFollowTheRegisters) {
    ProgramBuilder b;  // loads of 0, 1024, 2048 bytes
    b.loop(3, 0);
    b.control({.op = Opcode::op_mul, .rd = 1, .ra = 0, .imm = 1024});
    b.domain({{0}});
    b.program.domains.back().extent[0] = {0, 1};
    b.tile(Opcode::op_load, {B::stream(Space::spm, ElementType::u8, {1}), B::stream(Space::ext, ElementType::u8, {1})});
    b.end_loop();
    const TimingReport r = report(b);
    EXPECT_EQ(r.ext_read, 3072u);
    EXPECT_EQ(of(r, Queue::LD).busy, 3072u / 8);
}

TEST(TimingEngine, DeadlockPrintsWhoWaitsForWhom) {
    ProgramBuilder b;
    const uint8_t a = b.token(), c = b.token();
    b.load(16, {.wait = {a}, .signal = {c}});
    b.store(16, {.wait = {c}, .signal = {a}});
    try {
        report(b);
        FAIL() << "no error";
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().id, Diag::deadlock);
        EXPECT_NE(e.diagnostic().message.find("LD waits for token 0 from ST: instruction 0 (load)"), std::string::npos)
            << e.what();
        EXPECT_NE(e.diagnostic().message.find("ST waits for token 1 from LD: instruction 1 (store)"), std::string::npos)
            << e.what();
    }
}

TEST(TimingEngine, CycleLimitStopsEarly) {
    ProgramBuilder b;
    b.loop(1000000);
    b.load(1024);
    b.end_loop();
    const TimingReport r = report(b, timing_machine(), {.cycle_limit = 5000});
    EXPECT_GT(r.cycles, 5000u);
    EXPECT_LT(r.cycles, 6000u);
}

TEST(TimingEngine, TraceShowsWhatRanWhen) {
    ProgramBuilder b;
    b.load(1024);
    b.load(512);
    b.program.debug.push_back({.pc = 1, .stage = "b_tile", .file = "k.cpp", .line = 7});
    const TimingReport r = report(b, timing_machine(), {.trace = true});
    ASSERT_EQ(r.events.size(), 2u);
    EXPECT_EQ(r.events[1].start, 129u);
    EXPECT_EQ(r.events[1].end, 193u);
    const auto json = nlohmann::json::parse(chrome_trace(b.program, r));
    const auto &last = json["traceEvents"].back();
    EXPECT_EQ(last["name"], "b_tile");
    EXPECT_EQ(last["ts"], 129);
    EXPECT_EQ(last["dur"], 64);
    EXPECT_EQ(last["args"]["source"], "k.cpp:7");
}

// Random programs without deadlock: a token is signalled before it is waited for, in program order.
class RandomProgram {
public:
    explicit RandomProgram(uint32_t seed) : random_(seed) {}

    const Program &make() {
        b_.loop(pick(1, 6));
        for (int k = pick(1, 24); k > 0; k--) instruction();
        b_.end_loop();
        return b_.finish();
    }

private:
    int pick(int lo, int hi) { return std::uniform_int_distribution(lo, hi)(random_); }

    struct Open {
        uint8_t token;
        int queue;
    };

    void instruction() {
        const int kind = pick(0, 6);
        constexpr int queue_of[] = {1, 2, 3, 4, 5, 1, 2};
        const int queue = queue_of[kind];
        std::vector<uint8_t> wait, signal;
        for (auto it = open_.begin(); it != open_.end() && wait.size() < 2;)
            if (it->queue != queue && pick(0, 1))
                wait.push_back(it->token), it = open_.erase(it);
            else
                ++it;
        if (pick(0, 2) == 0) signal.push_back(b_.token()), open_.push_back({signal[0], queue});
        emit(kind);
        Instruction &i = b_.program.code.back();
        std::copy(wait.begin(), wait.end(), i.wait.begin());
        std::copy(signal.begin(), signal.end(), i.signal.begin());
        if (pick(0, 3) == 0) b_.control({.op = Opcode::op_movi, .rd = 5, .imm = 1});
    }

    void emit(int kind) {
        const int n = pick(1, 3000), rows = pick(1, 8);
        const Stream spm = B::stream(Space::spm, ElementType::u8, {1, n}),
                     ext = B::stream(Space::ext, ElementType::u8, {1, pick(1, 4000)});
        if (kind == 2) {
            b_.matmul(pick(1, 200), pick(1, 40), pick(1, 70));
            return;
        }
        b_.domain({{n}, {rows}});
        switch (kind) {
        case 0:
            b_.tile(Opcode::op_load, {spm, ext});
            return;
        case 1:
            b_.tile(Opcode::op_store, {ext, spm});
            return;
        case 3:
            b_.tile(Opcode::op_drain, {spm, spm}, {}, copy_micro());
            return;
        case 4:
            b_.tile(Opcode::op_run, {spm, spm}, {}, copy_micro());
            return;
        case 5:
            b_.tile(Opcode::op_fill, {spm});
            return;
        default:
            b_.tile(Opcode::op_copy, {spm, spm});
            return;
        }
    }

    uint16_t copy_micro() {
        return b_.micro({{.op = MicroOpcode::load, .type = ElementType::u8, .stream = 1},
                         {.op = MicroOpcode::store, .type = ElementType::u8, .stream = 0, .a = 0}});
    }

    std::mt19937 random_;
    ProgramBuilder b_;
    std::vector<Open> open_;
};

TargetDesc random_machine(std::mt19937 &random) {
    auto pick = [&](uint32_t lo, uint32_t hi) { return std::uniform_int_distribution(lo, hi)(random); };
    TargetDesc t = timing_machine();
    t.ext.bytes_per_cycle_x10 = pick(7, 700);
    t.ext.latency = pick(0, 300);
    t.ext.outstanding = pick(1, 32);
    t.ext.burst_bytes = pick(1, 128);
    t.spm_bytes_per_cycle = pick(1, 128);
    t.queue_depth = pick(1, 8);
    t.array.rows = pick(1, 64);
    t.array.columns = pick(1, 64);
    if (pick(0, 1)) t.array.kind = "dot_product";
    return t;
}

TEST(TimingEngine, NoProgramBeatsTheLowerBound) {
    for (uint32_t seed = 0; seed < 2000; seed++) {
        RandomProgram p(seed);
        const Program &program = p.make();
        std::mt19937 random(seed);
        const TargetDesc t = random_machine(random);
        const uint64_t bound = lower_bound(program, t, {});
        const TimingReport r = simulate(program, t, {});
        ASSERT_LE(bound, r.cycles) << "seed " << seed;
        for (int q = 1; q < queue_count; q++)
            ASSERT_EQ(r.queue[q].busy + r.queue[q].wait_token + r.queue[q].wait_issue, r.cycles)
                << "seed " << seed << " queue " << q;
    }
}

TEST(TimingEngine, LowerBoundIsMetByASingleBusyEngine) {
    ProgramBuilder b;
    for (int k = 0; k < 50; k++) b.load(4096);
    const Program &p = b.finish();
    const TimingReport r = simulate(p, timing_machine(), {});
    EXPECT_EQ(r.cycles, lower_bound(p, timing_machine(), {}) + 1 + 100);
}

TEST(TimingEngine, SameProgramSameReport) {
    RandomProgram p(7);
    const Program &program = p.make();
    const TimingReport a = simulate(program, timing_machine(), {}, {.trace = true}),
                       b = simulate(program, timing_machine(), {}, {.trace = true});
    EXPECT_EQ(a.cycles, b.cycles);
    EXPECT_EQ(a.energy_pj, b.energy_pj);
    EXPECT_EQ(chrome_trace(program, a), chrome_trace(program, b));
}

}  // namespace
}  // namespace emulsion
