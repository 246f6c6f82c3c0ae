#include "apps/emulsion/model_session.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/tensor.h"
#include "apps/emulsion/verbs/model_verbs.h"
#include "graph/kernel/run_nodes.h"
#include "graph/model/report.h"
#include "npu_backend/explain/explain.h"
#include "runtime/device/report.h"
#include "runtime/diag/diag.h"
#include "runtime/emulator/trace.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace emulsion::command {
namespace {

using Bytes = std::vector<uint8_t>;

/// What the words say of each value: NAME=TEXT, or TEXT alone when there is only one value. Empty: not mentioned.
std::vector<std::string> texts_of(const std::vector<std::string> &words, const std::vector<graph::Value> &values) {
    std::vector<std::string> texts(values.size());
    for (const std::string &word : words) {
        const auto named = std::find_if(values.begin(), values.end(), [&](const graph::Value &v) { return word.starts_with(v.name + "="); });
        if (named != values.end()) texts[named - values.begin()] = word.substr(named->name.size() + 1);
        else if (values.size() == 1 && word.find('=') == std::string::npos) texts[0] = word;
        else {
            std::vector<std::string> names;
            for (const graph::Value &v : values) names.push_back(v.name);
            raise(Diag::name_unknown, {}, word, fmt::join(names, " "));
        }
    }
    return texts;
}

void compare_with_host(const ModelSession &session, const std::vector<Bytes> &inputs, const std::vector<Bytes> &outputs) {
    if (!session.imported()) raise(Diag::command_line, {}, "--compare needs a model, not a program file");
    const graph::Graph &g = *session.imported();
    const graph::Tensors host = graph::run_nodes(g, inputs, nullptr);
    for (size_t k = 0; k < outputs.size(); k++) {
        const graph::Value &v = g.value(g.outputs[k]);
        const Bytes &want = v.is_constant() ? *v.data : host.at(g.outputs[k]);
        const std::vector<double> have = real_values(v, outputs[k]), expected = real_values(v, want);
        if (outputs[k] != want) {
            size_t first = have.size(), different = 0;
            for (size_t e = have.size(); e-- > 0;)
                if (have[e] != expected[e]) first = e, different++;
            raise(Diag::result_differs, {.stage = "model", .node = v.name}, v.name, fmt::format("element {}", first), different, have.size());
        }
        fmt::print("{}: {} elements equal stock Halide's, node by node on the host, bit for bit\n", v.name, have.size());
    }
}

void print_json(const ModelSession &session, const graph::ModelRun &run, const std::vector<std::string> &labels, int top) {
    nlohmann::ordered_json j;
    if (session.compiled()) j = nlohmann::ordered_json::parse(graph::to_json(*session.compiled(), run.timing));
    else j["programs"].push_back(nlohmann::ordered_json::parse(summary_json(*session.programs()[0], session.target(), run.timing.at(0))));
    for (size_t k = 0; k < run.outputs.size(); k++)
        for (const Ranked &r : ranked(session.outputs()[k], run.outputs[k], top))
            j["outputs"][session.outputs()[k].name].push_back({{"index", r.index}, {"value", r.value}, {"label", label_of(labels, r.index)}});
    fmt::print("{}\n", j.dump(2));
}

void print_text(const ModelSession &session, const graph::ModelRun &run, const std::vector<std::string> &labels, int top) {
    for (size_t k = 0; k < run.outputs.size(); k++) {
        fmt::print("{}: {}[{}], largest {}:\n", session.outputs()[k].name, info(session.outputs()[k].type).name,
                   fmt::join(extents_of(session.outputs()[k].shape, session.outputs()[k].name), ", "), top);
        for (const Ranked &r : ranked(session.outputs()[k], run.outputs[k], top)) fmt::print("  {:8.4f}  {}\n", r.value, label_of(labels, r.index));
    }
    if (session.compiled()) fmt::print("{}", graph::to_text(*session.compiled(), run.timing, false));
    else fmt::print("{}", summary_text(*session.programs()[0], session.target(), run.timing.at(0)));
}

}  // namespace

int run_model_file(const ModelRunWords &words, std::optional<Program> program) {
    const TargetDesc target = target_or(words.target, program ? program->machine : default_target);
    ModelSession session = program ? ModelSession(std::move(*program), target) : ModelSession(words.path, target, words.model);
    const std::vector<std::string> labels = words.labels.empty() ? std::vector<std::string>() : read_lines(words.labels);
    std::vector<Bytes> inputs;
    const std::vector<std::string> sources = texts_of(words.inputs, session.inputs()), sinks = texts_of(words.outputs, session.outputs());
    for (size_t k = 0; k < sources.size(); k++) inputs.push_back(model_input(session.inputs()[k], sources[k].empty() ? "random:1" : sources[k], words.pixels));

    const graph::ModelRun run = session.run(inputs, {.interpreter = words.interpreter, .timing = {.trace = !words.trace.empty()}});
    for (size_t k = 0; k < sinks.size(); k++)
        if (!sinks[k].empty()) write_tensor(sinks[k], model_output(session.outputs()[k], run.outputs[k]));
    const std::vector<const Program *> programs = session.programs();
    if (!words.trace.empty()) {
        if (programs.size() != 1) raise(Diag::command_line, {}, fmt::format("--trace: the model runs as {} programs, a trace holds one", programs.size()));
        write_file(words.trace, chrome_trace(*programs[0], run.timing[0]));
    }
    if (words.compare) compare_with_host(session, inputs, run.outputs);
    (words.json ? print_json : print_text)(session, run, labels, words.top);
    if (words.explain)
        for (const Program *p : programs) fmt::print("\n{}", words.json ? to_json(explain(*p, target, {})) : to_text(explain(*p, target, {})));
    return 0;
}

}  // namespace emulsion::command
