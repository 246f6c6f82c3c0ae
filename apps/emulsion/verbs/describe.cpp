// emulsion describe: what a generator computes, its parameters and its signature.
#include "apps/emulsion/parameters.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/verb.h"
#include "dsl/registry.h"
#include "npu_backend/reference/reference.h"

#include <fmt/format.h>
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

int describe(const Options &o) {
    const CompileRequest request = o.request.request();
    const Reference reference(request);
    (o.json ? print_json : print_text)(find(request.generator), reference.signature(), generator_parameters(request.generator));
    return 0;
}

const RegisterVerb verb{{"describe", "Says what a generator computes, its signature and its parameters.",
                         {"emulsion describe matmul", "emulsion describe activation rank=3 --json"}, [](CLI::App &app) {
                             auto o = std::make_shared<Options>();
                             app.add_option("generator", o->request.words, "GENERATOR [param=value...]")->required();
                             app.add_flag("--json", o->json, "print JSON");
                             return [o] { return describe(*o); };
                         }}};

}  // namespace
}  // namespace emulsion::command
