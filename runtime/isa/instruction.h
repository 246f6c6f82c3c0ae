// Instructions: fixed 128 bits, one struct for all forms. The table in instructions.def says which fields a form uses.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace emulsion {

enum class Queue : uint8_t { CTL, LD, ST, MX, OU, VX };
inline constexpr int queue_count = 6;
inline constexpr std::string_view queue_names[] = {"CTL", "LD", "ST", "MX", "OU", "VX"};

enum class InstructionForm : uint8_t { ctl_none, ctl_di, ctl_dab, ctl_loop, ctl_branch, ctl_jump, ctl_imm, sync, tile };

enum class Opcode : uint8_t {
// `and`, `or`, `xor` are C++ operators: enumerators carry an op_ prefix.
#define INSN(name, code, queue, form, says) op_##name = code,
#include "runtime/isa/instructions.def"
#undef INSN
};

struct InstructionInfo {
    std::string_view name;
    Opcode op;
    Queue queue;
    InstructionForm form;
    std::string_view says;
};

inline constexpr InstructionInfo instruction_table[] = {
#define INSN(name, code, queue, form, says) {#name, static_cast<Opcode>(code), Queue::queue, InstructionForm::form, says},
#include "runtime/isa/instructions.def"
#undef INSN
};

/// The row of `op`, or null for an opcode that is not in the table.
const InstructionInfo *find_instruction(Opcode op);

inline constexpr uint8_t no_token = 0xff;
inline constexpr uint16_t no_extra = 0xffff;
inline constexpr int max_waits = 2, max_signals = 2;
/// 8-bit counters: 255 of them cost the state of one vector register, so no packing pass is needed.
inline constexpr int token_count = 255;

/// Encoded size of one instruction [bytes].
inline constexpr int instruction_bytes = 16;

struct Instruction {
    Opcode op = Opcode::op_halt;
    uint8_t rd = 0xff, ra = 0xff, rb = 0xff;                          ///< 0xff: not used; rb unused means imm
    uint8_t mode = 0;                                                 ///< tile: see the row
    std::array<uint8_t, max_waits> wait{no_token, no_token};          ///< tile, sync: taken before the start
    std::array<uint8_t, max_signals> signal{no_token, no_token};      ///< tile, sync: given at completion
    uint8_t stream_count = 0;                                         ///< tile: operands are streams[stream .. +count)
    uint16_t domain = 0, stream = 0, extra = no_extra;                ///< tile: table indices; extra: micro-program or fill
    int32_t imm = 0;
    bool operator==(const Instruction &) const = default;
};
// In 16 bytes: instruction_fields.h.

}  // namespace emulsion
