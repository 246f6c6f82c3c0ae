// emulsion verify: proves a program file safe.
#include "apps/emulsion/kernel_run.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/verb.h"
#include "npu_backend/aot/npu_generator.h"
#include "runtime/program/container.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace emulsion::command {
namespace {

struct Options {
    std::string input, output, target;
    std::vector<std::string> shapes, scalars;
    bool json = false;
};

/// Buffers of the given extents: the proof needs their sizes and strides, not their elements.
Binding bind_shapes(const Options &o, const Program &program, KernelRun &run) {
    RunWords words;
    words.kernel = program.name;
    for (const std::string &s : o.shapes) {
        const auto [name, extents] = split_assignment(s);
        words.shapes[name] = parse_extents(name, extents);
    }
    for (const std::string &s : o.scalars) words.inputs.insert(split_assignment(s));
    run = prepare_run(signature_of(program), words, nullptr);
    return bind_buffers(program, raw_buffers(run), run.scalars);
}

int verify_file(const Options &o) {
    Program program = read_container(read_file(o.input));
    const TargetDesc target = target_or(o.target, program.machine);
    KernelRun run;
    const Binding binding = bind_shapes(o, program, run);
    program.certificate = prove(program, target, binding);
    if (!o.output.empty()) write_file(o.output, write_container(program));
    const Certificate &c = program.certificate;
    if (o.json)
        fmt::print("{}\n", nlohmann::ordered_json{{"program", program.name}, {"target", target.name}, {"program_hash", c.program_hash},
                                                  {"machine_hash", c.machine_hash}, {"checker_version", c.checker_version}}.dump(2));
    else fmt::print("{}: safe on {} ({} instructions, checker {})\n", program.name, target.name, program.code.size(), c.checker_version);
    return 0;
}

const RegisterVerb verb{{"verify", "Proves a program file safe for a machine and these sizes.",
                         {"emulsion verify matmul.npu --target mobile --shape a=256,128 --shape b=96,256 --shape out=96,128"},
                         [](CLI::App &app) {
                             auto o = std::make_shared<Options>();
                             app.add_option("file", o->input, "program file (.npu); - is standard input")->required();
                             add_target_option(app, o->target);
                             add_repeated(app, "--shape", o->shapes, "BUFFER=EXTENT,EXTENT,... of every input and output");
                             add_repeated(app, "--scalar", o->scalars, "NAME=VALUE of every scalar argument");
                             app.add_option("-o,--output", o->output, "write the program with its certificate");
                             app.add_flag("--json", o->json, "print JSON");
                             return [o] { return verify_file(*o); };
                         }}};

}  // namespace
}  // namespace emulsion::command
