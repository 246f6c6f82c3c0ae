#include "apps/emulsion/model_session.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/verb.h"
#include "apps/emulsion/verbs/model_verbs.h"
#include "graph/aot/emit_library.h"
#include "graph/ir/print.h"
#include "graph/model/report.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/assembler.h"
#include "runtime/program/container.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace emulsion::command {

namespace {

void print_stage(const ModelSession &session, const std::string &stage) {
    if (stage == "graph") fmt::print("{}", graph::to_text(session.compiled()->graph));
    if (stage == "dot") fmt::print("{}", graph::to_dot(session.compiled()->graph));
    if (stage == "asm")
        for (const Program *p : session.programs()) fmt::print("{}", disassemble(*p));
}

}  // namespace

int compile_model_file(const ModelCompileWords &words) {
    for (const std::string &stage : words.stages)
        if (std::find(model_stages.begin(), model_stages.end(), stage) == model_stages.end())
            raise(Diag::command_line, {}, fmt::format("--emit: \"{}\" of a model is not {}", stage, one_of(model_stages)));
    ModelWords model = words.model;
    if (words.every_pass) model.observe = [](const std::string &pass, const graph::Graph &g) { fmt::print("; ---- {}\n{}", pass, graph::to_text(g)); };
    const ModelSession session(words.path, target_or(words.target), model);
    const graph::CompiledModel &m = *session.compiled();
    if (!words.output.empty()) {
        const auto host = std::count_if(m.kernels.begin(), m.kernels.end(), [](const graph::Kernel &k) { return k.unit == graph::Unit::host; });
        if (!m.on_npu_alone()) raise(Diag::model_has_host_parts, {.stage = "compile"}, m.graph.name, host);
        write_file(words.output, write_container(m.segments[0].program));
    }
    if (!words.library.empty()) {
        const std::string name = words.function.empty() ? std::filesystem::path(words.library).filename().string() : words.function;
        graph::emit_library(m, {.function = name, .base = words.library});
    }
    for (const std::string &stage : words.stages) print_stage(session, stage);
    const std::vector<TimingReport> timing = graph::time_model(m);
    if (words.json) {
        fmt::print("{}\n", graph::to_json(m, timing));
        return 0;
    }
    fmt::print("{}", graph::to_text(m, timing, words.kernels));
    double total = 0;
    for (const PassTime &t : m.times) total += t.milliseconds;
    fmt::print("  compiled    in {:.1f} ms:", total);
    for (const PassTime &t : m.times) fmt::print(" {} {:.1f}", t.pass, t.milliseconds);
    fmt::print("\n");
    return 0;
}

}  // namespace emulsion::command
