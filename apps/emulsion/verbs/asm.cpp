// emulsion asm, emulsion disasm: program text to program file and back.
#include "apps/emulsion/request.h"
#include "apps/emulsion/verb.h"
#include "runtime/isa/assembler.h"
#include "runtime/program/container.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace emulsion::command {
namespace {

struct Options {
    std::string input, output;
    bool json = false;
};

void print_size(const Options &o, const Program &p, size_t bytes) {
    if (o.json)
        fmt::print("{}\n", nlohmann::ordered_json{{"program", p.name}, {"instructions", p.code.size()}, {"bytes", bytes}}.dump(2));
    else if (o.output != "-") fmt::print("{}: {} instructions, {} B\n", p.name, p.code.size(), bytes);
}

int assemble_file(const Options &o) {
    const std::vector<uint8_t> bytes = read_file(o.input);
    const Program program = assemble({bytes.begin(), bytes.end()}, o.input == "-" ? "stdin" : o.input);
    const std::vector<uint8_t> container = write_container(program);
    if (!o.output.empty()) write_file(o.output, container);
    print_size(o, program, container.size());
    return 0;
}

int disassemble_file(const Options &o) {
    const std::string text = disassemble(read_container(read_file(o.input)));
    if (o.json) fmt::print("{}\n", nlohmann::ordered_json{{"text", text}}.dump(2));
    else write_file(o.output.empty() ? "-" : o.output, text);
    return 0;
}

std::function<int()> set_up(CLI::App &app, const char *input, const char *output, int (*action)(const Options &)) {
    auto o = std::make_shared<Options>();
    app.add_option("file", o->input, input)->required();
    app.add_option("-o,--output", o->output, output);
    app.add_flag("--json", o->json, "print JSON");
    return [o, action] { return action(*o); };
}

const RegisterVerb assemble_verb{{"asm", "Assembles program text.", {"emulsion asm kernel.s -o kernel.npu"}, [](CLI::App &app) {
                                      return set_up(app, "program text; - is standard input", "program file to write (.npu)", assemble_file);
                                  }}};
const RegisterVerb disassemble_verb{{"disasm", "Prints the text of a program file.", {"emulsion disasm kernel.npu"}, [](CLI::App &app) {
                                         return set_up(app, "program file (.npu); - is standard input", "text file to write", disassemble_file);
                                     }}};

}  // namespace
}  // namespace emulsion::command
