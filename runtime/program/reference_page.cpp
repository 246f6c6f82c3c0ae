// emulsion_isa_doc isa | diagnostics: prints docs/isa-reference.md or docs/diagnostics.md from the tables.
#include "runtime/diag/diag.h"
#include "runtime/isa/instruction_fields.h"
#include "runtime/isa/micro_op.h"
#include "runtime/program/enum_names.h"
#include "runtime/program/record_bytes.h"
#include "runtime/program/record_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

namespace emulsion {
namespace {

constexpr std::string_view generated = "<!-- Generated from the tables: ninja emulsion_docs. Do not edit. -->\n\n";

/// A cell of a table: its bars do not end it.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string form_text(const InstructionInfo &row) {
    std::string out = std::string(row.name);
    for (const InstructionField &f : fields_of(row)) out += fmt::format(" {}", f.name);
    return out;
}

void instructions() {
    fmt::print("## Instructions\n\n16 bytes each. Byte 0 is the opcode; reserved bits are zero.\n\n"
               "| mnemonic and fields | code | queue | does |\n|---|---|---|---|\n");
    for (const InstructionInfo &row : instruction_table)
        fmt::print("| `{}` | {:#04x} | {} | {} |\n", form_text(row), static_cast<int>(row.op), queue_names[static_cast<int>(row.queue)], cell(row.says));
}

void encodings() {
    fmt::print("\n## Encoding\n\nLittle endian; a field that is absent holds the value in the last column.\n\n"
               "| like | field | byte | bits | absent |\n|---|---|---|---|---|\n");
    for (const Opcode op : {Opcode::op_movi, Opcode::op_add, Opcode::op_loop, Opcode::op_bz, Opcode::op_jump, Opcode::op_sync_ld, Opcode::op_load, Opcode::op_contract}) {
        const InstructionInfo &row = *find_instruction(op);
        for (const InstructionField &f : fields_of(row)) fmt::print("| `{}` | {} | {} | {} | {} |\n", row.name, f.name, f.byte, f.bits, f.unused);
    }
}

void micro_operations() {
    fmt::print("\n## Micro-ops\n\nOperands: a, b, c results of earlier micro-ops; s stream, d displacement, i immediate, m mode, f type of operand a. "
               "Slots: vector issue slots.\n\n| micro-op | code | operands | slots | result |\n|---|---|---|---|---|\n");
    for (const MicroOpInfo &m : micro_ops)
        fmt::print("| `{}` | {:#04x} | {} | {} | {} |\n", m.name, static_cast<int>(m.code), m.operands, m.slots, cell(m.says));
}

template<typename Record>
void record(std::string_view name) {
    std::vector<std::string_view> names;
    Record r{};
    Fields<Record>::each([&](std::string_view n, auto &) { names.push_back(n); }, r);
    fmt::print("| `{}` | {} |\n", name, fmt::join(names, ", "));
}

template<typename E>
void names(std::string_view what) { fmt::print("| {} | {} |\n", what, fmt::join(enum_names<E>, " ")); }

void text_form() {
    fmt::print("\n## Text form\n\n"
               "One record a line: a section, its number and a colon (not for `program` and `certificate`), then `field=value` for each field that\n"
               "differs from its initial value. `#` starts a comment. `emulsion disasm` writes it, `emulsion asm` reads it; the two are inverse.\n\n"
               "```\nprogram name=\"double\" machine=\"mobile\"\ntoken 0: initial=0\ndomain 0: rank=1 extent=[64]\nstream 0: type=i8 stride=[1]\n"
               "micro 0:\n  op 0: load type=i8\n  op 1: add type=i8 a=0 b=0\n  op 2: store type=i8 a=1\n"
               "insn 0: run count=1 extra=0\ninsn 1: halt\n```\n\n"
               "| value | written |\n|---|---|\n| number | `-5`, `0x1f` |\n| string | `\"text\"`, `\\x0a` for other bytes |\n| register | `r0` to `r31`, `none` |\n"
               "| number plus register | `5`, `r3`, `r3+5` |\n| base term | `r3*64` |\n| list | `[1, r2, r3-1]`; elements that are left out keep their initial values |\n\n"
               "| section | fields |\n|---|---|\n");
    record<Program>("program"), record<Certificate>("certificate"), record<Region>("region"), record<Argument>("argument");
    record<BufferEntry>("buffer"), record<TokenInit>("token"), record<Domain>("domain"), record<Stream>("stream"), record<Fill>("fill");
    fmt::print("| `micro`, `op` | a micro-op and its fields: type, from, stream, mode, a, b, c, imm |\n");
    fmt::print("| `insn` | an instruction and its fields |\n");
    record<DebugEntry>("debug");
    fmt::print("| `data` | bytes of the constants, hexadecimal; numbered by byte |\n\n| enumeration | names |\n|---|---|\n");
    names<ElementType>("type"), names<Space>("space"), names<Role>("role"), names<FillMode>("fill mode");
    names<RegionKind>("region kind"), names<ArgumentKind>("argument kind");
}

void records() {
    fmt::print("\n## Records of the container\n\nFields in the order above, packed, little endian; enumerations and booleans take one byte, a number plus register 9.\n"
               "Padding to the size below is zero.\n\n| record | bytes |\n|---|---|\n| domain | {} |\n| stream | {} |\n| fill | {} |\n| micro-op (opcode first) | {} |\n",
               record_bytes<Domain>(), record_bytes<Stream>(), record_bytes<Fill>(), record_bytes<MicroOp>());
}

void isa_page() {
    fmt::print("{}# Instruction set reference\n\n", generated);
    instructions(), encodings(), micro_operations(), text_form(), records();
}

void diagnostics_page() {
    constexpr std::string_view kinds[] = {"error", "internal error", "runtime error", "warning"};
    std::vector<const DiagInfo *> rows;
    for (int i = 0; i < diagnostic_count; i++) rows.push_back(&diagnostics[i]);
    std::sort(rows.begin(), rows.end(), [](auto a, auto b) { return a->id < b->id; });
    fmt::print("{}# Diagnostics\n\n{{0}}, {{1}}, ... stand for the values of the case.\n\n| code | kind | text | what to do |\n|---|---|---|---|\n", generated);
    for (const DiagInfo *d : rows)
        fmt::print("| EM{} | {} | {} | {} |\n", static_cast<int>(d->id), kinds[static_cast<int>(d->kind)], cell(d->text), cell(d->advice));
}

}  // namespace
}  // namespace emulsion

int main(int argc, char **argv) {
    const std::string page = argc == 2 ? argv[1] : "";
    if (page == "isa") return emulsion::isa_page(), 0;
    if (page == "diagnostics") return emulsion::diagnostics_page(), 0;
    fmt::print(stderr, "usage: emulsion_isa_doc isa | diagnostics\n");
    return 2;
}
