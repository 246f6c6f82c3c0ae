#include "runtime/isa/instruction_fields.h"

#include "runtime/isa/stream.h"

#include <type_traits>

namespace emulsion {
namespace {

#define MEMBER(m) [](const Instruction &i) -> int64_t { return i.m; }, \
                  [](Instruction &i, int64_t v) { i.m = static_cast<std::remove_reference_t<decltype(i.m)>>(v); }
#define REGISTER(m, byte) {#m, byte, 8, false, true, no_register, MEMBER(m)}
#define IMM {"imm", 12, 32, true, false, 0, MEMBER(imm)}
#define TOKENS {"wait0", 4, 8, false, false, no_token, MEMBER(wait[0])}, {"wait1", 5, 8, false, false, no_token, MEMBER(wait[1])}, \
               {"signal0", 6, 8, false, false, no_token, MEMBER(signal[0])}, {"signal1", 7, 8, false, false, no_token, MEMBER(signal[1])}
#define TILE {"domain", 8, 16, false, false, 0, MEMBER(domain)}, {"stream", 10, 16, false, false, 0, MEMBER(stream)}, \
             {"count", 3, 8, false, false, 0, MEMBER(stream_count)}, {"mode", 2, 2, false, false, 0, MEMBER(mode)}, REGISTER(ra, 1), TOKENS

constexpr InstructionField di[] = {REGISTER(rd, 1), IMM};
constexpr InstructionField dab[] = {REGISTER(rd, 1), REGISTER(ra, 2), REGISTER(rb, 3), IMM};
constexpr InstructionField loop[] = {REGISTER(rd, 1), REGISTER(ra, 2), IMM};
constexpr InstructionField branch[] = {REGISTER(ra, 2), IMM};
constexpr InstructionField imm[] = {IMM};
constexpr InstructionField sync[] = {TOKENS};
constexpr InstructionField tile_extra[] = {TILE, {"extra", 12, 16, false, false, no_extra, MEMBER(extra)}};
constexpr InstructionField tile_imm[] = {TILE, IMM};

#undef TILE
#undef TOKENS
#undef IMM
#undef REGISTER
#undef MEMBER

/// Tile instructions with an immediate have neither fill nor micro-program, so the two share bytes.
bool has_immediate(Opcode op) { return op == Opcode::op_fill || op == Opcode::op_contract; }

}  // namespace

std::span<const InstructionField> fields_of(const InstructionInfo &row) {
    if (row.form == InstructionForm::tile && has_immediate(row.op)) return tile_imm;
    static const std::span<const InstructionField> by_form[] = {{}, di, dab, loop, branch, imm, imm, sync, tile_extra};
    return by_form[static_cast<int>(row.form)];
}

}  // namespace emulsion
