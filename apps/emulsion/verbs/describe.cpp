// emulsion describe: what a generator computes, its parameters and its signature; what a model takes and gives.
#include "apps/emulsion/model_options.h"
#include "apps/emulsion/parameters.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/verb.h"
#include "dsl/registry.h"
#include "graph/ir/print.h"
#include "graph/model/load_graph.h"
#include "npu_backend/reference/reference.h"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

namespace emulsion::command {
namespace {

constexpr const char *kinds[] = {"input", "output", "scalar"};

std::string type_name(const Halide::Type &t) {
    std::ostringstream s;
    s << t;
    return s.str();
}

GeneratorInfo find(const std::string &name) {
    for (const GeneratorInfo &g : registered_generators())
        if (g.name == name) return g;
    return {name, "", 0, ""};
}

void print_text(const GeneratorInfo &g, const std::vector<Signature> &signature, const std::vector<GeneratorParameter> &parameters) {
    fmt::print("{}   {}:{}\n  {}\n\nSignature, dimension 0 innermost:\n", g.name, g.file, g.line, g.says);
    for (const Signature &s : signature)
        fmt::print("  {:<8}{:<16}{:<10}{}\n", kinds[static_cast<int>(s.kind)], s.name, type_name(s.type),
                   s.kind == Signature::Kind::scalar ? "" : fmt::format("{} dimensions", s.dimensions));
    fmt::print("\nParameters:\n");
    for (const GeneratorParameter &p : parameters) fmt::print("  {:<24}{:<16}default {}\n", p.name, p.type, p.value);
}

void print_json(const GeneratorInfo &g, const std::vector<Signature> &signature, const std::vector<GeneratorParameter> &parameters) {
    nlohmann::ordered_json j{{"name", g.name}, {"says", g.says}, {"file", g.file}, {"line", g.line}};
    for (const Signature &s : signature)
        j["signature"].push_back({{"kind", kinds[static_cast<int>(s.kind)]}, {"name", s.name}, {"type", type_name(s.type)},
                                  {"dimensions", s.dimensions}});
    for (const GeneratorParameter &p : parameters)
        j["parameters"].push_back({{"name", p.name}, {"type", p.type}, {"default", p.value}});
    fmt::print("{}\n", j.dump(2));
}

struct Options {
    RequestOptions request;
    bool json = false;
};

/// What a model takes and gives, as `emulsion run` names it, and how often it uses each operator.
int describe_model(const Options &o) {
    const graph::Graph g = read_model(o.request.words[0]);
    std::map<std::string, int> operators;
    for (const graph::Node &n : g.nodes) operators[n.op]++;
    const std::pair<const char *, const std::vector<graph::ValueId> &> ends[] = {{"input", g.inputs}, {"output", g.outputs}};
    if (o.json) {
        nlohmann::ordered_json j{{"name", g.name}, {"nodes", g.nodes.size()}, {"operators", operators}};
        for (const auto &[kind, ids] : ends)
            for (graph::ValueId id : ids) j["signature"].push_back({{"kind", kind}, {"name", g.value(id).name}, {"type", shape_text(g.value(id))}, {"scale", g.value(id).quantization.scale}, {"zero_point", g.value(id).quantization.zero_point}});
        fmt::print("{}\n", j.dump(2));
        return 0;
    }
    fmt::print("{}   {} nodes\n\nSignature, outermost dimension first:\n", g.name, g.nodes.size());
    for (const auto &[kind, ids] : ends)
        for (graph::ValueId id : ids) fmt::print("  {:<8}{:<32}{}\n", kind, g.value(id).name, type_text(g.value(id)));
    fmt::print("\nOperators:\n");
    for (const auto &[name, count] : operators) fmt::print("  {:<24}{}\n", name, count);
    return 0;
}

int describe(const Options &o) {
    if (graph::is_model_name(o.request.words[0])) return describe_model(o);
    const CompileRequest request = o.request.request();
    const Reference reference(request);
    (o.json ? print_json : print_text)(find(request.generator), reference.signature(), generator_parameters(request.generator));
    return 0;
}

const RegisterVerb verb{{"describe", "Says what a generator computes, its signature and its parameters; or what a model takes and gives.",
                         {"emulsion describe matmul", "emulsion describe activation rank=3 --json", "emulsion describe model.tflite"}, [](CLI::App &app) {
                             auto o = std::make_shared<Options>();
                             app.add_option("generator", o->request.words, "GENERATOR [param=value...], or a model file")->required();
                             app.add_flag("--json", o->json, "print JSON");
                             return [o] { return describe(*o); };
                         }}};

}  // namespace
}  // namespace emulsion::command
