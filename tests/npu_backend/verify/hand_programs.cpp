#include "tests/npu_backend/verify/hand_programs.h"

#include "tests/npu_backend/verify/program_builder.h"

namespace emulsion::test {
namespace {

using enum ElementType;

constexpr uint8_t tile_counter = 0, slot_a = 1, slot_b = 2;

MicroProgram add_one() { return {load(u8, 0), constant(u8, 1), binary(MicroOpcode::add, u8, 0, 1), store(u8, 1, 2)}; }

}  // namespace

HandProgram pipelined_add() {
    ProgramBuilder b("pipelined_add");
    const uint8_t in = b.region("in", RegionKind::input), out = b.region("out", RegionKind::output);
    b.buffer("in_tile", Space::spm, 0, 64, 2);
    b.buffer("out_tile", Space::spm, 128, 64, 2);
    const uint8_t full_in = b.token(0), free_in = b.token(2), full_out = b.token(0), free_out = b.token(2);
    const uint16_t d = b.domain({64});
    const Stream in_tile = spm(u8, 0, {1}, {{slot_a, 64}}), out_tile = spm(u8, 128, {1}, {{slot_a, 64}});
    b.movi(slot_a, 0);
    b.loop(tile_counter, 6);
    b.tile("in_tile", Opcode::op_load, d, {in_tile, ext(in, u8, 0, {1}, {{tile_counter, 64}})}, {{free_in}, {full_in}});
    b.tile("sum", Opcode::op_run, d, {in_tile, out_tile}, {{full_in, free_out}, {free_in, full_out}},
           b.micro(add_one()));
    b.tile("out", Opcode::op_store, d, {ext(out, u8, 0, {1}, {{tile_counter, 64}}), out_tile},
           {{full_out}, {free_out}});
    b.advance(slot_a, 2);
    b.endloop();
    return {b.finish(), {384, 384}, {}};
}

HandProgram blocked_matmul() {
    ProgramBuilder b("blocked_matmul");
    const uint8_t a = b.region("a", RegionKind::input), w = b.region("w", RegionKind::constants, 48 * 8),
                  out = b.region("out", RegionKind::output);
    b.buffer("a_tile", Space::spm, 0, 128, 2);
    b.buffer("w_tile", Space::spm, 256, 64, 2);
    b.buffer("out_tile", Space::spm, 384, 512);
    b.buffer("acc", Space::acc, 0, 512);
    const uint8_t full = b.token(0), free = b.token(2), full_acc = b.token(0), full_out = b.token(0);
    const uint16_t a_domain = b.domain({8, 16}), w_domain = b.domain({8, 8}), mac = b.domain({8, 8, 16}),
                   all = b.domain({128});
    b.program.domains[mac].role = {Role::row, Role::column, Role::streamed};
    b.movi(slot_a, 0);
    b.loop(tile_counter, 6);
    b.tile("a_tile", Opcode::op_load, a_domain,
           {spm(i8, 0, {1, 8}, {{slot_a, 128}}), ext(a, i8, 0, {1, 48}, {{tile_counter, 8}})}, {{free}, {}});
    b.tile("w_tile", Opcode::op_load, w_domain,
           {spm(i8, 256, {1, 8}, {{slot_a, 64}}), ext(w, i8, 0, {1, 8}, {{tile_counter, 64}})}, {{}, {full}});
    const uint32_t pc = b.tile(
        "c", Opcode::op_contract, mac,
        {acc(i32, 0, {0, 4, 32}), spm(i8, 0, {1, 0, 8}, {{slot_a, 128}}), spm(i8, 256, {8, 1, 0}, {{slot_a, 64}})},
        {{full}, {free}});
    b.program.code[pc].mode = 2;
    b.program.code[pc].ra = tile_counter;
    b.advance(slot_a, 2);
    b.endloop();
    b.sync(Opcode::op_sync_mx, {{}, {full_acc}});
    b.tile("out_tile", Opcode::op_drain, all, {acc(i32, 0, {4}), spm(i32, 384, {4})}, {{full_acc}, {full_out}},
           b.micro({load(i32, 0), store(i32, 1, 0)}));
    b.tile("out", Opcode::op_store, all, {ext(out, i32, 0, {4}), spm(i32, 384, {4})}, {{full_out}, {}});
    return {b.finish(), {16 * 48, 48 * 8, 512}, {}};
}

HandProgram edge_blur() {
    ProgramBuilder b("edge_blur");
    const uint8_t in = b.region("in", RegionKind::input), out = b.region("out", RegionKind::output);
    b.buffer("row", Space::spm, 0, 34, 2);
    b.buffer("blurred", Space::spm, 128, 32, 2);
    const uint8_t full_in = b.token(0), free_in = b.token(2), full_out = b.token(0), free_out = b.token(2);
    const uint16_t wide = b.domain({34, 1}), narrow = b.domain({32});
    Fill f;
    f.mode = FillMode::repeat_edge;
    f.boxed[0] = f.boxed[1] = true;
    f.origin[0].imm = -1;
    f.hi[0].imm = 32;
    f.origin[1] = {0, tile_counter};
    f.hi[1].imm = 8;
    const MicroProgram blur = {load(u8, 0),
                               load(u8, 0, 1),
                               load(u8, 0, 2),
                               binary(MicroOpcode::rounding_halving_add, u8, 0, 2),
                               binary(MicroOpcode::rounding_halving_add, u8, 1, 3),
                               store(u8, 1, 4)};
    const Stream row = spm(u8, 0, {1}, {{slot_a, 34}}), blurred = spm(u8, 128, {1}, {{slot_a, 32}});
    b.movi(slot_a, 0);
    b.loop(tile_counter, 8);
    b.tile("row", Opcode::op_load, wide, {row, ext(in, u8, 0, {1, 32})}, {{free_in}, {full_in}}, b.fill(f));
    b.tile("blurred", Opcode::op_run, narrow, {row, blurred}, {{full_in, free_out}, {free_in, full_out}},
           b.micro(blur));
    b.tile("out", Opcode::op_store, narrow, {ext(out, u8, 0, {1}, {{tile_counter, 32}}), blurred},
           {{full_out}, {free_out}});
    b.advance(slot_a, 2);
    b.endloop();
    return {b.finish(), {256, 256}, {}};
}

HandProgram table_lookup() {
    ProgramBuilder b("table_lookup");
    const uint8_t in = b.region("in", RegionKind::input), table = b.region("table", RegionKind::constants, 256),
                  out = b.region("out", RegionKind::output);
    b.buffer("table", Space::spm, 0, 256);
    b.buffer("in_tile", Space::spm, 256, 32, 2);
    b.buffer("out_tile", Space::spm, 320, 32, 2);
    const uint8_t full_in = b.token(0), free_in = b.token(2), full_out = b.token(0), free_out = b.token(2);
    const uint16_t d = b.domain({32}), entries = b.domain({256});
    Stream indexed = spm(u8, 0, {0});
    indexed.window_hi = 256;
    MicroOp gather = load(u8, 2);
    gather.a = 1;
    const MicroProgram look = {
        load(u8, 0), {.op = MicroOpcode::convert, .type = i32, .from = u8, .a = 0}, gather, store(u8, 1, 2)};
    const Stream in_tile = spm(u8, 256, {1}, {{slot_a, 32}}), out_tile = spm(u8, 320, {1}, {{slot_a, 32}});
    b.movi(slot_a, 0);
    // The table needs no token of its own: it is loaded before the first tile, in the same queue.
    b.tile("table", Opcode::op_load, entries, {spm(u8, 0, {1}), ext(table, u8, 0, {1})});
    b.loop(tile_counter, 5);
    b.tile("in_tile", Opcode::op_load, d, {in_tile, ext(in, u8, 0, {1}, {{tile_counter, 32}})}, {{free_in}, {full_in}});
    b.tile("look", Opcode::op_run, d, {in_tile, out_tile, indexed}, {{full_in, free_out}, {free_in, full_out}},
           b.micro(look));
    b.tile("out", Opcode::op_store, d, {ext(out, u8, 0, {1}, {{tile_counter, 32}}), out_tile},
           {{full_out}, {free_out}});
    b.advance(slot_a, 2);
    b.endloop();
    return {b.finish(), {160, 256, 160}, {}};
}

HandProgram running_sum() {
    ProgramBuilder b("running_sum");
    const uint8_t in = b.region("in", RegionKind::input), out = b.region("out", RegionKind::output);
    b.buffer("in_tile", Space::spm, 0, 64);
    b.buffer("sum", Space::spm, 64, 65);
    const uint8_t full_in = b.token(0), full_out = b.token(0);
    const uint16_t d = b.domain({64}), one = b.domain({1}), sums = b.domain({65});
    b.tile("in_tile", Opcode::op_load, d, {spm(u8, 0, {1}), ext(in, u8, 0, {1})}, {{}, {full_in}});
    b.tile("sum", Opcode::op_run, one, {spm(u8, 64, {1})}, {}, b.micro({constant(u8, 0), store(u8, 0, 0)}));
    // sum[1 + i] = sum[i] + in[i]
    const MicroProgram step = {load(u8, 0), load(u8, 1), binary(MicroOpcode::add, u8, 0, 1), store(u8, 2, 2)};
    b.tile("sum", Opcode::op_run, d, {spm(u8, 64, {1}), spm(u8, 0, {1}), spm(u8, 65, {1})}, {{full_in}, {full_out}},
           b.micro(step));
    b.tile("out", Opcode::op_store, sums, {ext(out, u8, 0, {1}), spm(u8, 64, {1})}, {{full_out}, {}});
    return {b.finish(), {64, 65}, {}};
}

HandProgram through_arena() {
    ProgramBuilder b("through_arena");
    const uint8_t in = b.region("in", RegionKind::input), arena = b.region("arena", RegionKind::arena, 256),
                  out = b.region("out", RegionKind::output);
    b.buffer("in_tile", Space::spm, 0, 64, 2);
    b.buffer("back", Space::spm, 128, 256);
    const uint8_t full_in = b.token(0), free_in = b.token(2), in_arena = b.token(0), full_back = b.token(0);
    const uint16_t d = b.domain({64}), all = b.domain({256});
    const Stream in_tile = spm(u8, 0, {1}, {{slot_b, 64}});
    b.movi(slot_b, 0);
    b.loop(tile_counter, 4);
    b.tile("in_tile", Opcode::op_load, d, {in_tile, ext(in, u8, 0, {1}, {{tile_counter, 64}})}, {{free_in}, {full_in}});
    b.tile("arena", Opcode::op_store, d, {ext(arena, u8, 0, {1}, {{tile_counter, 64}}), in_tile},
           {{full_in}, {free_in}});
    b.advance(slot_b, 2);
    b.endloop();
    b.sync(Opcode::op_sync_st, {{}, {in_arena}});
    b.tile("back", Opcode::op_load, all, {spm(u8, 128, {1}), ext(arena, u8, 255, {-1})}, {{in_arena}, {full_back}});
    b.tile("out", Opcode::op_store, all, {ext(out, u8, 0, {1}), spm(u8, 128, {1})}, {{full_back}, {}});
    return {b.finish(), {256, 256, 256}, {}};
}

}  // namespace emulsion::test
