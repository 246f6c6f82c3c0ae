// emulsion run: a kernel on the emulated machine, checked against stock Halide on the CPU when asked.
#include "apps/emulsion/difference.h"
#include "apps/emulsion/kernel_run.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/summary.h"
#include "apps/emulsion/model_session.h"
#include "apps/emulsion/verb.h"
#include "apps/emulsion/verbs/model_verbs.h"
#include "graph/model/load_graph.h"
#include "npu_backend/explain/explain.h"
#include "runtime/device/launch.h"
#include "runtime/diag/diag.h"
#include "runtime/emulator/trace.h"
#include "runtime/program/container.h"

#include <memory>

namespace emulsion::command {
namespace {

struct Options {
    RequestOptions request;
    ModelWords model;
    std::vector<std::string> inputs, outputs;
    std::string trace, labels;
    int top = 5;
    PixelScale pixels;
    bool compare = false, explain = false, json = false, symbolic = false, sanitize = false;
    uint64_t ulp = 4, seed = 0;
};

struct Kernel {
    TargetDesc target;
    Program program;
    KernelRun run;
    std::vector<Signature> signature;
    std::unique_ptr<Reference> reference;  ///< null: the program came from a file
};

std::map<std::string, std::string> assignments(const std::vector<std::string> &words) {
    std::map<std::string, std::string> map;
    for (const std::string &w : words) map.insert(split_assignment(w));
    return map;
}

Kernel from_file(const Options &o, Program program, const RunWords &words) {
    Kernel k;
    k.program = std::move(program);
    check_certificate(k.program);
    k.target = target_or(o.request.target, k.program.machine);
    k.signature = signature_of(k.program);
    k.run = prepare_run(k.signature, words, nullptr);
    return k;
}

Kernel from_generator(const Options &o, const CompileRequest &request, const RunWords &words) {
    Kernel k;
    k.target = target_or(o.request.target);
    k.reference = std::make_unique<Reference>(request);
    k.signature = k.reference->signature();
    k.run = prepare_run(k.signature, words, k.reference.get());
    CompileRequest sized = request;
    sized.shapes = o.symbolic ? Shapes{} : k.run.shapes;
    k.program = compile(sized, k.target).program;
    return k;
}

LaunchResult launch(const Options &o, Kernel &k) {
    LaunchOptions options;
    options.interpreter = {.schedule_seed = o.seed, .sanitize = o.sanitize};
    options.timing = TimingOptions{.trace = !o.trace.empty()};
    options.verifier = prove;
    return emulsion::launch(k.program, k.target, bind_buffers(k.program, raw_buffers(k.run), k.run.scalars), options);
}

/// Runs the reference on the same inputs; raises EM902 when an output differs.
nlohmann::ordered_json compare_outputs(const Options &o, Kernel &k) {
    if (!k.reference) raise(Diag::command_line, {}, "--compare needs a generator, not a program file");
    const NamedBuffers want = empty_outputs(k.signature, k.run.shapes);
    k.reference->run(k.run.inputs, want, k.run.scalars);
    nlohmann::ordered_json j;
    for (const auto &[name, buffer] : k.run.outputs) {
        const Difference d = compare(buffer, want.at(name), o.ulp);
        require_equal(name, d);
        j[name] = {{"elements", d.elements}, {"largest_ulp", d.largest_ulp}};
        if (!o.json)
            fmt::print("{}: {}\n", name, equality(d));
    }
    return j;
}

std::vector<int64_t> arguments_of(Kernel &k) {
    return bind_buffers(k.program, raw_buffers(k.run), k.run.scalars).arguments;
}

void print_result(const Options &o, Kernel &k, const LaunchResult &result, const nlohmann::ordered_json &compared) {
    if (!o.json) {
        print_summary(k.program, k.target, result.timing);
        if (o.explain) fmt::print("\n{}", to_text(explain(k.program, k.target, arguments_of(k))));
        return;
    }
    nlohmann::ordered_json j = summary(k.program, k.target, result.timing);
    if (o.compare) j["equal_to_reference"] = compared;
    if (o.explain) j["explanation"] = nlohmann::ordered_json::parse(to_json(explain(k.program, k.target, arguments_of(k))));
    fmt::print("{}\n", j.dump(2));
}

int run_kernel(const Options &o, Kernel k) {
    const LaunchResult result = launch(o, k);
    for (const auto &[name, path] : assignments(o.outputs)) write_tensor(path, k.run.outputs.at(name));
    if (!o.trace.empty()) write_file(o.trace, chrome_trace(k.program, *result.timing));
    const nlohmann::ordered_json compared = o.compare ? compare_outputs(o, k) : nlohmann::ordered_json();
    print_result(o, k, result, compared);
    return 0;
}

int run_model_words(const Options &o, std::optional<Program> program = {}) {
    if (o.symbolic) raise(Diag::command_line, {}, "--symbolic: a model's symbols get their numbers from --symbol");
    return run_model_file({.path = o.request.words[0], .target = o.request.target, .inputs = o.inputs, .outputs = o.outputs, .labels = o.labels,
                           .trace = o.trace, .top = o.top, .pixels = o.pixels, .compare = o.compare, .explain = o.explain, .json = o.json,
                           .interpreter = {.schedule_seed = o.seed, .sanitize = o.sanitize}, .model = o.model},
                          std::move(program));
}

RunWords run_words(const Options &o, const CompileRequest &request) { return {request.generator, assignments(o.inputs), assignments(o.outputs), request.shapes}; }

int run(const Options &o) {
    if (graph::is_model_name(o.request.words[0])) return run_model_words(o);
    const CompileRequest request = o.request.request();
    if (!request.generator.ends_with(".npu")) return run_kernel(o, from_generator(o, request, run_words(o, request)));
    Program program = read_container(read_file(request.generator));
    if (holds_model(program)) return run_model_words(o, std::move(program));
    return run_kernel(o, from_file(o, std::move(program), run_words(o, request)));
}

std::function<int()> set_up(CLI::App &app) {
    auto o = std::make_shared<Options>();
    o->request.add_to(app);
    app.get_option("generator")->description("GENERATOR [param=value...], FILE.npu, or FILE.tflite");
    add_repeated(app, "--input", o->inputs, fmt::format("{}; models: {}, NAME= may be left out when there is one", input_forms, model_input_forms));
    o->model.add_to(app);
    app.add_option("--labels", o->labels, "models: names of the output's elements, one a line");
    app.add_option("--top", o->top, "models: print this many of the largest elements of each output")->capture_default_str();
    app.add_option("--mean", o->pixels.mean, "models: pixel p of a picture becomes (p - mean) / deviation; default: as the input's type says");
    app.add_option("--deviation", o->pixels.deviation, "models: see --mean");
    add_repeated(app, "--output", o->outputs, "NAME=FILE.png or NAME=FILE.npy");
    app.add_flag("--compare", o->compare, "run the same algorithm under stock Halide on the CPU and compare");
    app.add_option("--ulp", o->ulp, "allowed distance of compared floats, in units of the last place")->capture_default_str();
    app.add_flag("--symbolic", o->symbolic, "compile without fixed extents: they become kernel arguments");
    app.add_flag("--sanitize", o->sanitize, "report reads of bytes nobody wrote");
    app.add_option("--seed", o->seed, "0: oldest instruction first; else a random legal interleaving of the queues")->capture_default_str();
    app.add_option("--trace", o->trace, "write a Chrome trace (ui.perfetto.dev opens it)");
    app.add_flag("--explain", o->explain, "say what the time went into, and what would make it faster");
    app.add_flag("--json", o->json, "print JSON");
    return [o] { return run(*o); };
}

const RegisterVerb verb{{"run", "Runs a generator, a model or a program file on the emulated machine.",
                         {"emulsion run add --shape a=3000 --compare",
                          "emulsion run matmul --shape a=256,128 --shape b=96,256 --shape out=96,128 --input bias=zero "
                          "--input multiplier=constant:1500000000 --input shift=constant:40 --compare",
                          "emulsion run model.npu --input cat.png --labels labels.txt",
                          "emulsion run gaussian --input in=photo.png --output out=blurred.png --compare --trace trace.json"},
                         set_up}};

}  // namespace
}  // namespace emulsion::command
