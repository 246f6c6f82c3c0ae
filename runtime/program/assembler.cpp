// The text form is a list of sections; each section has one row in the table below: how it is written and how a line is read.
#include "runtime/isa/assembler.h"

#include "runtime/diag/diag.h"
#include "runtime/isa/instruction_fields.h"
#include "runtime/program/text_reader.h"
#include "runtime/program/text_writer.h"

namespace emulsion {
namespace {

constexpr size_t bytes_per_line = 32;

// ---- instructions and micro-ops: a mnemonic, then fields

std::string operands_text(const Instruction &i, const InstructionInfo &row) {
    TextWriter w;
    for (const InstructionField &f : fields_of(row)) {
        const int64_t value = f.get(i);
        if (value != f.unused) w.field(f.name, f.is_register ? register_text(value) : value_text(value));
    }
    return w.text;
}

std::string instruction_text(const Instruction &i) {
    const InstructionInfo *row = find_instruction(i.op);
    return row ? std::string(row->name) + operands_text(i, *row) : fmt::format("opcode_{}", static_cast<int>(i.op));
}

/// The row of `table` that the next word names.
template<typename Table>
const auto &named_row(TextReader &in, const Table &table, std::string_view what) {
    const size_t start = in.skip();
    const std::string_view name = in.word();
    const auto it = std::find_if(std::begin(table), std::end(table), [&](const auto &row) { return row.name == name; });
    if (it != std::end(table)) return *it;
    std::vector<std::string_view> names;
    for (const auto &row : table) names.push_back(row.name);
    raise(Diag::asm_name_unknown, in.at(start), what, name, fmt::format("{}", fmt::join(names, " ")));
}

Instruction read_instruction(TextReader &in) {
    const InstructionInfo &row = named_row(in, instruction_table, "instruction");
    Instruction i{.op = row.op};
    std::vector<std::string_view> names;
    for (const InstructionField &f : fields_of(row)) names.push_back(f.name);
    read_fields(in, names, [&](std::string_view name) {
        const auto fields = fields_of(row);
        const InstructionField &f = *std::find_if(fields.begin(), fields.end(), [&](const auto &x) { return x.name == name; });
        f.set(i, f.is_register ? in.register_number() : in.number<int64_t>(f.lowest(), f.highest()));
    });
    return i;
}

std::string micro_op_text(const MicroOp &m) {
    const auto row = std::find_if(std::begin(micro_ops), std::end(micro_ops), [&](const MicroOpInfo &r) { return r.code == m.op; });
    return (row == std::end(micro_ops) ? fmt::format("opcode_{}", static_cast<int>(m.op)) : std::string(row->name)) + fields_text(m);
}

MicroOp read_micro_op(TextReader &in) {
    MicroOp m{.op = named_row(in, micro_ops, "micro-op").code};
    read_record_fields(in, m);
    return m;
}

// ---- sections

/// Takes " 12:", which must be the number of entries so far: then a line cannot move to another place unnoticed.
void expect_index(TextReader &in, size_t index) {
    const size_t start = in.skip();
    const auto written = in.number<uint64_t>();
    if (written != index) raise(Diag::asm_syntax, in.at(start), std::to_string(written), fmt::format("{}, the next entry,", index));
    in.expect(':');
}

template<auto Member>
std::string write_records(std::string_view keyword, const Program &p) {
    std::string out;
    for (size_t i = 0; i < (p.*Member).size(); i++) out += fmt::format("{} {}:{}\n", keyword, i, fields_text((p.*Member)[i]));
    return out;
}

template<auto Member>
void read_records(TextReader &in, Program &p) {
    expect_index(in, (p.*Member).size());
    read_record_fields(in, (p.*Member).emplace_back());
}

std::string write_header(std::string_view keyword, const Program &p) { return fmt::format("{}{}\n", keyword, fields_text(p)); }
void read_header(TextReader &in, Program &p) { read_record_fields(in, p); }

std::string write_certificate(std::string_view keyword, const Program &p) {
    return p.certificate == Certificate{} ? "" : fmt::format("{}{}\n", keyword, fields_text(p.certificate));
}
void read_certificate(TextReader &in, Program &p) { read_record_fields(in, p.certificate); }

std::string write_micro_programs(std::string_view keyword, const Program &p) {
    std::string out;
    for (size_t i = 0; i < p.micro_programs.size(); i++) {
        out += fmt::format("{} {}:\n", keyword, i);
        for (size_t k = 0; k < p.micro_programs[i].size(); k++) out += fmt::format("  op {}: {}\n", k, micro_op_text(p.micro_programs[i][k]));
    }
    return out;
}
void read_micro_program(TextReader &in, Program &p) {
    expect_index(in, p.micro_programs.size());
    p.micro_programs.emplace_back();
}
void read_op(TextReader &in, Program &p) {
    if (p.micro_programs.empty()) in.fail("a micro-program before its first op");
    expect_index(in, p.micro_programs.back().size());
    p.micro_programs.back().push_back(read_micro_op(in));
}

std::string write_code(std::string_view keyword, const Program &p) {
    std::string out;
    for (size_t pc = 0; pc < p.code.size(); pc++) out += fmt::format("{} {}: {}\n", keyword, pc, instruction_text(p.code[pc]));
    return out;
}
void read_code(TextReader &in, Program &p) {
    expect_index(in, p.code.size());
    p.code.push_back(read_instruction(in));
}

std::string write_constants(std::string_view keyword, const Program &p) {
    std::string out;
    for (size_t at = 0; at < p.constants.size(); at += bytes_per_line) {
        out += fmt::format("{} {}: ", keyword, at);
        for (size_t k = at; k < std::min(at + bytes_per_line, p.constants.size()); k++) out += fmt::format("{:02x}", p.constants[k]);
        out += '\n';
    }
    return out;
}
void read_constants(TextReader &in, Program &p) {
    expect_index(in, p.constants.size());
    const std::vector<uint8_t> bytes = in.hex_bytes();
    p.constants.insert(p.constants.end(), bytes.begin(), bytes.end());
}

std::string write_nothing(std::string_view, const Program &) { return ""; }

struct Section {
    std::string_view name;
    std::string (*write)(std::string_view keyword, const Program &);
    void (*read)(TextReader &, Program &);
};

constexpr Section sections[] = {
    {"program", write_header, read_header},
    {"certificate", write_certificate, read_certificate},
    {"region", write_records<&Program::regions>, read_records<&Program::regions>},
    {"argument", write_records<&Program::arguments>, read_records<&Program::arguments>},
    {"buffer", write_records<&Program::buffers>, read_records<&Program::buffers>},
    {"token", write_records<&Program::tokens>, read_records<&Program::tokens>},
    {"domain", write_records<&Program::domains>, read_records<&Program::domains>},
    {"stream", write_records<&Program::streams>, read_records<&Program::streams>},
    {"fill", write_records<&Program::fills>, read_records<&Program::fills>},
    {"micro", write_micro_programs, read_micro_program},
    {"op", write_nothing, read_op},  // written by micro
    {"insn", write_code, read_code},
    {"debug", write_records<&Program::debug>, read_records<&Program::debug>},
    {"data", write_constants, read_constants},
};

}  // namespace

std::string disassemble(const Program &program) {
    std::string out;
    for (const Section &s : sections) out += s.write(s.name, program);
    return out;
}

std::string disassemble_instruction(const Program &program, uint32_t pc) { return instruction_text(program.code[pc]); }

Program assemble(const std::string &text, const std::string &file) {
    TextReader in(text, file);
    Program program;
    while (!in.at_end()) {
        if (!in.at_line_end()) named_row(in, sections, "section").read(in, program);
        in.end_line();
    }
    return program;
}

}  // namespace emulsion
