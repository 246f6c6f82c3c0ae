#include "runtime/isa/encode.h"

#include "runtime/diag/diag.h"
#include "runtime/isa/instruction_fields.h"

#include <algorithm>

namespace emulsion {
namespace {

const InstructionInfo &row_of(Opcode op) {
    if (const InstructionInfo *row = find_instruction(op)) return *row;
    raise(Diag::program_invalid, {}, fmt::format("opcode {:#04x}", static_cast<int>(op)), "it does not exist");
}

void put(InstructionBytes &bytes, const InstructionField &f, int64_t value) {
    for (int k = 0; k * 8 < f.bits; k++) bytes[f.byte + k] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * k));
}

int64_t take(std::span<const uint8_t, instruction_bytes> bytes, const InstructionField &f) {
    uint64_t v = 0;
    for (int k = 0; k * 8 < f.bits; k++) v |= uint64_t{bytes[f.byte + k]} << (8 * k);
    v &= (uint64_t{1} << f.bits) - 1;
    return f.is_signed ? static_cast<int64_t>(v << (64 - f.bits)) >> (64 - f.bits) : static_cast<int64_t>(v);
}

InstructionBytes pack(const InstructionInfo &row, const Instruction &i) {
    InstructionBytes bytes{static_cast<uint8_t>(i.op)};
    for (const InstructionField &f : fields_of(row)) put(bytes, f, f.get(i));
    return bytes;
}

Instruction unpack(const InstructionInfo &row, std::span<const uint8_t, instruction_bytes> bytes) {
    Instruction i{.op = row.op};
    for (const InstructionField &f : fields_of(row)) f.set(i, take(bytes, f));
    return i;
}

}  // namespace

InstructionBytes encode(const Instruction &instruction) {
    const InstructionInfo &row = row_of(instruction.op);
    const InstructionBytes bytes = pack(row, instruction);
    if (unpack(row, bytes) != instruction || pack(row, unpack(row, bytes)) != bytes)
        raise(Diag::program_invalid, {}, fmt::format("instruction {}", row.name), "a field that it does not have is set, or a value is too wide");
    return bytes;
}

Instruction decode(std::span<const uint8_t, instruction_bytes> bytes) {
    const InstructionInfo &row = row_of(static_cast<Opcode>(bytes[0]));
    const Instruction i = unpack(row, bytes);
    if (!std::ranges::equal(pack(row, i), bytes)) raise(Diag::encoding_reserved, {}, row.name);
    return i;
}

}  // namespace emulsion
