// One test per rule of the verifier: a correct program with one thing broken must be refused with that rule's code.
#include "npu_backend/verify/verify.h"
#include "runtime/diag/diag.h"
#include "tests/npu_backend/verify/hand_programs.h"
#include "tests/npu_backend/verify/program_builder.h"

#include <gtest/gtest.h>

namespace emulsion::test {
namespace {

using enum ElementType;

Certificate check(const HandProgram &h, const TargetDesc &target = small_target()) {
    std::vector<RegionExtent> regions;
    for (int64_t bytes : h.region_bytes) regions.push_back({0, bytes});
    return verify(h.program, target, regions, h.arguments);
}

/// The diagnostic that refuses `h`; fails the test when it is accepted.
Diagnostic refusal(const HandProgram &h, const TargetDesc &target = small_target()) {
    try {
        check(h, target);
    } catch (const Error &e) {
        return e.diagnostic();
    }
    ADD_FAILURE() << h.program.name << " was accepted";
    return {};
}

void expect_refused(const HandProgram &h, Diag rule) {
    const Diagnostic d = refusal(h);
    EXPECT_EQ(d.id, rule) << d.text();
}

/// pcs of pipelined_add
constexpr int loop_pc = 1, load_pc = 2, run_pc = 3, store_pc = 4, mod_pc = 6;

Instruction &at(HandProgram &h, int pc) { return h.program.code[pc]; }
Stream &operand(HandProgram &h, int pc, int k) { return h.program.streams[at(h, pc).stream + k]; }

TEST(Verify, AcceptsHandWrittenPrograms) {
    for (const NamedProgram &n : hand_programs) EXPECT_NO_THROW(check(n.make())) << n.name;
}

TEST(Verify, CertificateNamesMachineCheckerAndArguments) {
    HandProgram h = pipelined_add();
    h.program.arguments.push_back(
        {.kind = ArgumentKind::scalar, .region = 0, .dimension = 0, .name = "n", .type = i32});
    h.arguments = {42};
    const Certificate c = check(h);
    EXPECT_EQ(c.machine_hash, small_target().hash);
    EXPECT_GT(c.checker_version, 0u);
    EXPECT_EQ(c.arguments, std::vector<int64_t>{42});
    h.program.certificate = c;
    EXPECT_EQ(check(h), c) << "the hash must not depend on the certificate itself";
    h.program.streams[0].base++;
    h.program.streams[0].base--;
    h.program.buffers[0].name = "renamed";
    EXPECT_NE(check(h).program_hash, c.program_hash);
}

// ---- launch, structure, legality

TEST(Verify, LaunchNeedsOneExtentPerRegion) {
    HandProgram h = pipelined_add();
    h.region_bytes.pop_back();
    expect_refused(h, Diag::verify_launch);
}

TEST(Verify, MachineHashMustBeEqual) {
    HandProgram h = pipelined_add();
    h.program.machine_hash++;
    expect_refused(h, Diag::verify_machine);
}

TEST(Verify, OpcodesMustExist) {
    HandProgram h = pipelined_add();
    at(h, mod_pc).op = static_cast<Opcode>(0xee);
    expect_refused(h, Diag::verify_opcode);
}

TEST(Verify, TableIndicesMustExist) {
    const auto broken = [](auto change) {
        HandProgram h = pipelined_add();
        change(h);
        expect_refused(h, Diag::verify_index);
    };
    broken([](HandProgram &h) { at(h, load_pc).domain = 99; });
    broken([](HandProgram &h) { at(h, load_pc).stream = 99; });
    broken([](HandProgram &h) { at(h, load_pc).extra = 9; });
    broken([](HandProgram &h) { at(h, run_pc).extra = no_extra; });
    broken([](HandProgram &h) { at(h, load_pc).wait[0] = 77; });
    broken([](HandProgram &h) { at(h, mod_pc).ra = 32; });
    broken([](HandProgram &h) { at(h, loop_pc).rd = no_register; });
    broken([](HandProgram &h) { operand(h, load_pc, 1).region = 5; });
    broken([](HandProgram &h) { operand(h, load_pc, 0).terms[1] = {32, 1}; });
    broken([](HandProgram &h) { h.program.domains[0].rank = 7; });
    broken([](HandProgram &h) { at(h, mod_pc) = {.op = Opcode::op_arg, .rd = 3, .imm = 0}; });
}

TEST(Verify, LoopsMustNest) {
    HandProgram h = pipelined_add();
    at(h, loop_pc) = {.op = Opcode::op_mark};
    expect_refused(h, Diag::verify_nesting);
    h = pipelined_add();
    at(h, mod_pc) = {.op = Opcode::op_loop, .rd = 4, .imm = 1};
    expect_refused(h, Diag::verify_nesting);
}

TEST(Verify, BranchesStayInTheirLoop) {
    HandProgram h = pipelined_add();
    at(h, mod_pc) = {.op = Opcode::op_jump, .imm = 1};
    expect_refused(h, Diag::verify_branch);
    at(h, mod_pc).imm = 100;
    expect_refused(h, Diag::verify_branch);
    at(h, mod_pc).imm = -2;
    expect_refused(h, Diag::verify_branch);
}

TEST(Verify, BranchToTheEndOfTheTurnIsLegal) {
    HandProgram h = pipelined_add();
    // Skips the ring's modulo in the last turn: the slot is not used again.
    at(h, mod_pc - 1) = {.op = Opcode::op_bz, .ra = 9, .imm = 1};
    at(h, mod_pc) = {.op = Opcode::op_mark};
    h.program.tokens = {{0}, {1}, {0}, {1}};
    EXPECT_NO_THROW(check(h));
}

TEST(Verify, ProgramsEndInHalt) {
    HandProgram h = pipelined_add();
    h.program.code.pop_back();
    expect_refused(h, Diag::verify_no_halt);
}

TEST(Verify, OperandCountIsTheRows) {
    HandProgram h = pipelined_add();
    at(h, load_pc).stream_count = 1;
    expect_refused(h, Diag::verify_operand_count);
}

TEST(Verify, OperandSpacesAreTheRows) {
    HandProgram h = pipelined_add();
    operand(h, load_pc, 1).space = Space::spm;
    expect_refused(h, Diag::verify_operand_space);
    h = pipelined_add();
    operand(h, run_pc, 0).space = Space::ext;
    expect_refused(h, Diag::verify_operand_space);
}

TEST(Verify, TypeTriplesMustBeLegalOnTheMachine) {
    HandProgram h = pipelined_add();
    operand(h, load_pc, 0).type = i8;
    expect_refused(h, Diag::verify_types);
    h = blocked_matmul();
    TargetDesc target = small_target();
    target.array.slowdown.erase(i8);
    EXPECT_EQ(refusal(h, target).id, Diag::verify_types);
    for (size_t pc = 0; pc < h.program.code.size(); pc++)
        if (at(h, pc).op == Opcode::op_contract) operand(h, pc, 0).type = f32;
    expect_refused(h, Diag::verify_types);
}

TEST(Verify, MicroProgramsAreWellFormed) {
    const auto broken = [](auto change) {
        HandProgram h = pipelined_add();
        change(h.program.micro_programs[0]);
        expect_refused(h, Diag::verify_micro_program);
    };
    broken([](MicroProgram &m) { m[2].b = 2; });  // its own result
    broken([](MicroProgram &m) { m[2].c = 0; });  // add has no third operand
    broken([](MicroProgram &m) { m[0].imm = INT64_MAX; });
    broken([](MicroProgram &m) { m[0].stream = 7; });
    broken([](MicroProgram &m) { m[2].type = i16; });
    broken([](MicroProgram &m) { m[3].type = i8; });
    broken([](MicroProgram &m) { m[1] = {.op = MicroOpcode::index, .type = u8, .mode = 3}; });
    broken([](MicroProgram &m) { m[1].op = static_cast<MicroOpcode>(0xee); });
    HandProgram h = blocked_matmul();  // no divider in the output unit
    h.program.micro_programs[0] = {load(i32, 0), binary(MicroOpcode::div, i32, 0, 0), store(i32, 1, 1)};
    expect_refused(h, Diag::verify_micro_program);
}

TEST(Verify, RequantizeShiftsAreInRange) {
    HandProgram h = blocked_matmul();
    MicroOp requantize{.op = MicroOpcode::requantize, .type = i32, .a = 0, .b = 1, .c = 2};
    h.program.micro_programs[0] = {load(i32, 0), constant(i32, 1 << 30), constant(i32, 63), requantize,
                                   store(i32, 1, 3)};
    EXPECT_NO_THROW(check(h));
    h.program.micro_programs[0][2].imm = 64;
    expect_refused(h, Diag::verify_shift);
}

TEST(Verify, FillValuesFitTheElement) {
    HandProgram h = edge_blur();
    h.program.fills[0].mode = FillMode::constant;
    h.program.fills[0].value = 256;
    expect_refused(h, Diag::verify_fill_value);
    h.program.fills[0].value = static_cast<uint64_t>(-3);
    EXPECT_NO_THROW(check(h));
}

TEST(Verify, RepeatedBoxesAreNotEmpty) {
    HandProgram h = edge_blur();
    h.program.fills[0].hi[0].imm = 0;
    expect_refused(h, Diag::verify_empty_box);
    h.program.fills[0].hi[0].imm = INT64_MAX;
    expect_refused(h, Diag::verify_address_overflow);
}

TEST(Verify, WindowsAreNotInsideOut) {
    HandProgram h = pipelined_add();
    operand(h, run_pc, 0).window_lo = 1;
    expect_refused(h, Diag::verify_window);
}

TEST(Verify, RegionsFitTheMachine) {
    HandProgram h = pipelined_add();
    for (int k = 0; k < 15; k++) {
        h.program.regions.push_back({"more", RegionKind::arena, u8, 1, 64});
        h.region_bytes.push_back(64);
    }
    expect_refused(h, Diag::verify_region_count);
}

TEST(Verify, ConstantsHaveTheSizeOfTheirRegion) {
    HandProgram h = table_lookup();
    h.program.constants.pop_back();
    expect_refused(h, Diag::verify_constants_size);
}

TEST(Verify, BuffersFitTheScratchpad) {
    HandProgram h = pipelined_add();
    h.program.buffers[1].slots = 64;
    expect_refused(h, Diag::verify_capacity);
}

// ---- tokens

TEST(Verify, TokenHasOneSignallingAndOneWaitingQueue) {
    HandProgram h = pipelined_add();
    at(h, store_pc).signal[1] = 0;
    expect_refused(h, Diag::verify_token_queues);
    h = pipelined_add();
    at(h, store_pc).wait[1] = 0;
    expect_refused(h, Diag::verify_token_queues);
}

TEST(Verify, TokenCountsEndWhereTheyBegan) {
    HandProgram h = pipelined_add();
    Instruction more{.op = Opcode::op_sync_ld};
    more.signal[0] = 0;
    h.program.code.insert(h.program.code.end() - 1, more);
    expect_refused(h, Diag::verify_token_balance);
}

TEST(Verify, TokenCountersDoNotOverflow) {
    HandProgram h = pipelined_add();
    h.program.tokens[1].initial = 255;
    Instruction more{.op = Opcode::op_sync_vx};
    more.signal[0] = 1;
    h.program.code.insert(h.program.code.begin(), more);
    for (DebugEntry &e : h.program.debug) e.pc++;
    expect_refused(h, Diag::verify_token_overflow);
}

TEST(Verify, DeadlockNamesTheWaitingStages) {
    HandProgram h = pipelined_add();
    h.program.tokens[3].initial = 0;
    const Diagnostic d = refusal(h);
    EXPECT_EQ(d.id, Diag::verify_deadlock);
    EXPECT_NE(d.message.find("stage sum) waits for token 3, signalled by 4 (store, stage out)"), std::string::npos)
        << d.message;
}

TEST(Verify, DeadlockOfFullQueuesIsFound) {
    // LD waits for a signal of ST that CTL dispatches only after more loads than the queue holds.
    ProgramBuilder b("late");
    const uint8_t t = b.token(0);
    b.sync(Opcode::op_sync_ld, {{t}, {}});
    b.loop(0, 8);
    b.sync(Opcode::op_sync_ld, {});
    b.endloop();
    b.sync(Opcode::op_sync_st, {{}, {t}});
    const HandProgram h{b.finish(), {}, {}};
    TargetDesc target = small_target();
    EXPECT_EQ(refusal(h, target).id, Diag::verify_deadlock);
    target.queue_depth = 9;
    EXPECT_NO_THROW(check(h, target));
}

// ---- memory

TEST(Verify, ReadsNeedAWriteBefore) {
    HandProgram h = pipelined_add();
    h.program.domains.push_back(h.program.domains[0]);
    h.program.domains.back().extent[0].imm = 63;
    at(h, load_pc).domain = 1;
    const Diagnostic d = refusal(h);
    EXPECT_EQ(d.id, Diag::verify_unwritten) << d.text();
    EXPECT_NE(d.message.find("[63, 64)"), std::string::npos) << d.message;
    EXPECT_EQ(d.place.stage, "sum");
    EXPECT_EQ(d.place.file, "hand.cpp");
    EXPECT_EQ(d.place.line, 3u);
}

TEST(Verify, ArenaStartsUnwritten) {
    HandProgram h = through_arena();
    h.program.code[1].imm = 3;
    expect_refused(h, Diag::verify_unwritten);
}

TEST(Verify, ScanReadsOnlyWhatItWrote) {
    HandProgram h = running_sum();
    h.program.micro_programs[0].pop_back();  // without the initial sum, the first point reads an unwritten byte
    const Diagnostic d = refusal(h);
    EXPECT_EQ(d.id, Diag::verify_unwritten);
    EXPECT_NE(d.message.find("[64, 65)"), std::string::npos) << d.message;
}

TEST(Verify, UnorderedReadOfAWriteIsARace) {
    HandProgram h = pipelined_add();
    // One slot where the tokens allow two tiles in flight.
    at(h, mod_pc).imm = 1;
    const Diagnostic d = refusal(h);
    EXPECT_EQ(d.id, Diag::verify_race) << d.text();
}

TEST(Verify, PredicatedStoresWriteWhereTheirPredicateHolds) {
    ProgramBuilder b("tail");
    const uint8_t out = b.region("out", RegionKind::output), full = b.token(0);
    const uint16_t d = b.domain({32}), live = b.domain({20});
    const MicroProgram guarded = {constant(u8, 5),
                                  {.op = MicroOpcode::index, .type = i32},
                                  constant(i32, 20),
                                  binary(MicroOpcode::lt, i32, 1, 2),
                                  store(u8, 0, 0, 3)};
    b.tile("guarded", Opcode::op_run, d, {spm(u8, 0, {1})}, {{}, {full}}, b.micro(guarded));
    b.tile("out", Opcode::op_store, live, {ext(out, u8, 0, {1}), spm(u8, 0, {1})}, {{full}, {}});
    HandProgram h{b.finish(), {20}, {}};
    EXPECT_NO_THROW(check(h));
    h.program.micro_programs[0][2].imm = 19;
    expect_refused(h, Diag::verify_unwritten);
}

TEST(Verify, IndicesWithoutDataAreExact) {
    // out[i] = tile[min(i, 19)]: the window is 32 bytes, only 20 of them are there
    ProgramBuilder b("clamped");
    const uint8_t in = b.region("in", RegionKind::input), out = b.region("out", RegionKind::output), full = b.token(0),
                  done = b.token(0);
    const uint16_t d = b.domain({32}), loaded = b.domain({20});
    Stream tile = spm(u8, 0, {0});
    tile.window_hi = 32;
    MicroOp indexed = load(u8, 0);
    indexed.a = 2;
    const MicroProgram clamp = {{.op = MicroOpcode::index, .type = i32},
                                constant(i32, 19),
                                binary(MicroOpcode::min, i32, 0, 1),
                                indexed,
                                store(u8, 1, 3)};
    b.tile("tile", Opcode::op_load, loaded, {spm(u8, 0, {1}), ext(in, u8, 0, {1})}, {{}, {full}});
    b.tile("clamped", Opcode::op_run, d, {tile, spm(u8, 32, {1})}, {{full}, {done}}, b.micro(clamp));
    b.tile("out", Opcode::op_store, d, {ext(out, u8, 0, {1}), spm(u8, 32, {1})}, {{done}, {}});
    HandProgram h{b.finish(), {20, 32}, {}};
    EXPECT_NO_THROW(check(h));
    h.program.micro_programs[0][1].imm = 20;
    expect_refused(h, Diag::verify_unwritten);
}

TEST(Verify, DataPredicatedStoresDoNotCountAsWrites) {
    ProgramBuilder b("masked");
    const uint8_t in = b.region("in", RegionKind::input), out = b.region("out", RegionKind::output), full = b.token(0),
                  done = b.token(0);
    const uint16_t d = b.domain({16});
    b.tile("in_tile", Opcode::op_load, d, {spm(u8, 0, {1}), ext(in, u8, 0, {1})}, {{}, {full}});
    b.tile("masked", Opcode::op_run, d, {spm(u8, 0, {1}), spm(u8, 16, {1})}, {{full}, {done}},
           b.micro({load(u8, 0), store(u8, 1, 0, 0)}));
    b.tile("out", Opcode::op_store, d, {ext(out, u8, 0, {1}), spm(u8, 16, {1})}, {{done}, {}});
    expect_refused({b.finish(), {16, 16}, {}}, Diag::verify_unwritten);
}

TEST(Verify, InputsAndConstantsAreNeverWritten) {
    HandProgram h = pipelined_add();
    h.program.regions[1].kind = RegionKind::input;
    expect_refused(h, Diag::verify_write_protected);
}

TEST(Verify, OutputsAreWrittenOnce) {
    HandProgram h = pipelined_add();
    operand(h, store_pc, 0).terms[0].scale = 63;
    expect_refused(h, Diag::verify_written_twice);
}

TEST(Verify, CopiesWriteEveryByteOnce) {
    HandProgram h = edge_blur();
    h.program.domains[0].extent[1].imm = 2;  // two rows of the picture into one row of the scratchpad
    expect_refused(h, Diag::verify_move_overlaps);
}

TEST(Verify, OutputsAreWrittenWhole) {
    HandProgram h = pipelined_add();
    h.program.code[loop_pc].imm = 5;
    const Diagnostic d = refusal(h);
    EXPECT_EQ(d.id, Diag::verify_output_missing);
    EXPECT_NE(d.message.find("[320, 384)"), std::string::npos) << d.message;
}

TEST(Verify, PaddingBetweenRowsIsNotWritten) {
    HandProgram h = pipelined_add();
    h.program.regions[1].dimensions = 2;
    const auto size = [](ArgumentKind kind, uint8_t dimension) { return Argument{kind, 1, dimension, "", i32}; };
    h.program.arguments = {size(ArgumentKind::buffer_extent, 0), size(ArgumentKind::buffer_extent, 1),
                           size(ArgumentKind::buffer_stride, 1)};
    h.arguments = {64, 6, 64};
    EXPECT_NO_THROW(check(h));
    h.arguments = {60, 6, 64};
    expect_refused(h, Diag::verify_output_padding);
    h.arguments = {64, 6, 66};
    h.region_bytes[1] = 394;
    expect_refused(h, Diag::verify_output_missing);
}

TEST(Verify, AccumulatorsKeepTheirFormat) {
    HandProgram h = blocked_matmul();
    for (size_t pc = 0; pc < h.program.code.size(); pc++)
        if (at(h, pc).op == Opcode::op_drain) operand(h, pc, 0).type = f32;
    h.program.micro_programs[0] = {
        load(f32, 0), {.op = MicroOpcode::reinterpret, .type = i32, .from = f32, .a = 0}, store(i32, 1, 1)};
    expect_refused(h, Diag::verify_accumulator_format);
}

TEST(Verify, AddressesStayInsideTheirRegion) {
    HandProgram h = pipelined_add();
    h.region_bytes[0] = 383;
    const Diagnostic d = refusal(h);
    EXPECT_EQ(d.id, Diag::verify_out_of_region);
    EXPECT_NE(d.message.find("[320, 384), EXT region \"in\" is [0, 383)"), std::string::npos) << d.message;
    h = pipelined_add();
    h.program.buffers.clear();
    operand(h, run_pc, 1).base = operand(h, store_pc, 1).base = 4096 - 64;
    expect_refused(h, Diag::verify_out_of_region);
}

TEST(Verify, AddressesFit64Bits) {
    HandProgram h = pipelined_add();
    operand(h, load_pc, 1).stride[0].imm = INT64_MAX / 2;
    expect_refused(h, Diag::verify_address_overflow);
    h = pipelined_add();
    operand(h, load_pc, 1).terms[0].scale = INT64_MAX;
    operand(h, load_pc, 1).base = INT64_MAX - 10;
    expect_refused(h, Diag::verify_address_overflow);
}

TEST(Verify, OperandsStayInsideOneSlot) {
    HandProgram h = pipelined_add();
    for (int pc : {load_pc, run_pc}) operand(h, pc, 0).base = 8;
    expect_refused(h, Diag::verify_crosses_buffer);
}

// ---- budgets

TEST(Verify, DomainsAreFinite) {
    HandProgram h = pipelined_add();
    h.program.domains[0].extent[0].imm = int64_t{1} << 41;
    expect_refused(h, Diag::verify_domain_size);
}

TEST(Verify, FootprintsAreFinite) {
    HandProgram h = through_arena();
    h.program.domains.push_back({2, {Scalar{1 << 12}, Scalar{1 << 12}}, {}});
    at(h, 3).domain = static_cast<uint16_t>(h.program.domains.size() - 1);
    operand(h, 3, 0).stride = {Scalar{1001}, Scalar{1 << 24}};
    expect_refused(h, Diag::verify_footprint);
}

TEST(Verify, PointWalksAreFinite) {
    HandProgram h = running_sum();
    h.program.micro_programs[0].pop_back();
    h.program.domains.push_back({3, {Scalar{64}, Scalar{1 << 10}, Scalar{1 << 10}}, {}});
    at(h, 2).domain = static_cast<uint16_t>(h.program.domains.size() - 1);
    expect_refused(h, Diag::verify_point_budget);
}

TEST(Verify, ControlIsFinite) {
    ProgramBuilder b("endless");
    b.loop(0, 1 << 30);
    b.control({.op = Opcode::op_mark});
    b.endloop();
    expect_refused({b.finish(), {}, {}}, Diag::verify_budget);
}

}  // namespace
}  // namespace emulsion::test
