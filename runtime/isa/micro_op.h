// Micro-programs of the vector and output units: SSA over typed lanes. Value k is the result of micro-op k.
#pragma once
#include "runtime/isa/element_type.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace emulsion {

enum class MicroOpcode : uint8_t {
#define MICRO_OP(name, code, operands, slots, says) name = code,
#include "runtime/isa/micro_ops.def"
#undef MICRO_OP
};

struct MicroOpInfo {
    std::string_view name;
    MicroOpcode code;
    std::string_view operands;  ///< which of a b c s(tream) d(isplacement) i(mm) m(ode) f(rom) are used, in text order
    uint8_t slots;              ///< vector issue slots
    std::string_view says;
};

inline constexpr MicroOpInfo micro_ops[] = {
#define MICRO_OP(name, code, operands, slots, says) {#name, MicroOpcode::name, operands, slots, says},
#include "runtime/isa/micro_ops.def"
#undef MICRO_OP
};

/// What the output unit can do to an accumulator on its way to the scratchpad: a rescale and clamp pipeline, no dividers, no
/// predicates.
inline constexpr MicroOpcode output_unit_ops[] = {
    MicroOpcode::constant, MicroOpcode::index,        MicroOpcode::scalar,     MicroOpcode::load,
    MicroOpcode::store,    MicroOpcode::add,          MicroOpcode::sub,        MicroOpcode::mul,
    MicroOpcode::min,      MicroOpcode::max,          MicroOpcode::convert,    MicroOpcode::saturate,
    MicroOpcode::shr,      MicroOpcode::rounding_shr, MicroOpcode::requantize, MicroOpcode::reinterpret,
};

inline constexpr uint16_t no_value = 0xffff;
inline constexpr int max_micro_ops = 1024;

/// Rounding modes of requantize; each is one function in runtime/isa/requantize.h.
enum class Rounding : uint8_t { single, double_, floor, trunc, half_away, rne_f32 };

struct MicroOp {
    MicroOpcode op{};
    ElementType type{};      ///< of the result; for store: of the stored element; for compares: of the operands
    ElementType from{};      ///< convert, saturate, reinterpret: type of operand a
    uint8_t stream = 0;      ///< load, store: operand number among the instruction's streams
    uint8_t mode = 0;        ///< requantize: Rounding; index: dimension; scalar: register
    uint16_t a = no_value, b = no_value, c = no_value;
    int64_t imm = 0;         ///< constant: value bits; load, store: byte displacement
    bool operator==(const MicroOp &) const = default;
};

using MicroProgram = std::vector<MicroOp>;

}  // namespace emulsion
