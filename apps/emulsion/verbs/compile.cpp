// emulsion compile: a generator to a program file, with every stage of the way printable.
#include "apps/emulsion/request.h"
#include "apps/emulsion/summary.h"
#include "apps/emulsion/verb.h"
#include "apps/emulsion/verbs/model_verbs.h"
#include "graph/model/load_graph.h"
#include "runtime/diag/diag.h"
#include "runtime/program/container.h"

#include <algorithm>
#include <memory>
#include <sstream>

namespace emulsion::command {
namespace {

const std::vector<std::string> stages = {"stmt", "tile", "plan", "asm"};

struct Options {
    RequestOptions request;
    ModelWords model;
    std::string emit, output, library, function_name;
    bool every_pass = false, kernels = false, json = false;

    std::vector<std::string> stages() const {
        std::vector<std::string> wanted;
        std::istringstream in(emit);
        for (std::string stage; std::getline(in, stage, ',');) wanted.push_back(stage);
        return wanted;
    }
};

CompileOptions compile_options(const Options &o) {
    for (const std::string &stage : o.stages())
        if (std::find(stages.begin(), stages.end(), stage) == stages.end())
            raise(Diag::command_line, {}, fmt::format("--emit: \"{}\" is not {}", stage, one_of(stages)));
    CompileOptions options;
    options.dump = [every = o.every_pass, wanted = o.stages()](const std::string &pass, const std::string &text) {
        const bool is_stage = std::find(stages.begin(), stages.end(), pass) != stages.end();
        const bool is_wanted = std::find(wanted.begin(), wanted.end(), pass) != wanted.end();
        // A stage's text is also its last pass's: with every pass asked for, only lowering and assembly are stages alone.
        if (is_wanted || (every && (!is_stage || pass == "stmt" || pass == "asm")))
            fmt::print("; ---- {}\n{}{}", pass, text, text.ends_with('\n') ? "" : "\n");
    };
    return options;
}

void print_result(const Options &o, const Compiled &compiled, const TargetDesc &target) {
    std::optional<TimingReport> timing;
    if (compiled.program.arguments.empty()) timing = simulate(compiled.program, target, {});
    double total = 0;
    for (const PassTime &t : compiled.times) total += t.milliseconds;
    if (o.json) {
        nlohmann::ordered_json j = summary(compiled.program, target, timing);
        for (const PassTime &t : compiled.times) j["compile_ms"][t.pass] = t.milliseconds;
        fmt::print("{}\n", j.dump(2));
        return;
    }
    print_summary(compiled.program, target, timing);
    fmt::print("  compiled    in {:.1f} ms:", total);
    for (const PassTime &t : compiled.times) fmt::print(" {} {:.1f}", t.pass, t.milliseconds);
    fmt::print("\n");
}

int compile_model_words(const Options &o) {
    return compile_model_file({.path = o.request.words[0], .target = o.request.target, .output = o.output, .library = o.library, .function = o.function_name, .stages = o.stages(), .every_pass = o.every_pass,
                               .kernels = o.kernels, .json = o.json, .model = o.model});
}

int compile_kernel(const Options &o) {
    CompileRequest request = o.request.request();
    request.function_name = o.function_name;
    const TargetDesc target = target_or(o.request.target);
    const Compiled compiled = compile(request, target, compile_options(o));
    if (!o.output.empty()) write_file(o.output, write_container(compiled.program));
    print_result(o, compiled, target);
    return 0;
}

const RegisterVerb verb{{"compile", "Compiles a generator or a model for a machine.",
                         {"emulsion compile matmul --target mobile --shape a=256,128 --shape b=96,256 --shape out=96,128 -o matmul.npu",
                          "emulsion compile model.tflite --target edge-256 -o model.npu --kernels",
                          "emulsion compile model.tflite --target edge-256 --library out/model", "emulsion compile matmul --emit=stmt,tile,plan,asm", "emulsion compile matmul --print-after-all"},
                         [](CLI::App &app) {
                             auto o = std::make_shared<Options>();
                             o->request.add_to(app);
                             app.get_option("generator")->description("GENERATOR [param=value...], or FILE.tflite");
                             o->model.add_to(app);
                             app.add_option("--emit", o->emit, "print these stages, comma separated: stmt tile plan asm; of a model: graph dot asm");
                             app.add_flag("--print-after-all", o->every_pass, "print the program, or a model's graph, after every pass");
                             app.add_option("-o,--output", o->output, "program file to write (.npu)");
                             app.add_option("--library", o->library, "models: BASE of the static library BASE.a, its header BASE.h and BASE.registration.cpp");
                             app.add_option("--name", o->function_name, "name of the program, or of the library's function; default: the generator's, or BASE");
                             app.add_flag("--kernels", o->kernels, "models: list every kernel with its place");
                             app.add_flag("--json", o->json, "print the summary as JSON");
                             return [o] { return graph::is_model_name(o->request.words[0]) ? compile_model_words(*o) : compile_kernel(*o); };
                         }}};

}  // namespace
}  // namespace emulsion::command
