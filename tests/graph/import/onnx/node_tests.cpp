// node_tests CASES [--page FILE] [--fresh FILE] [--least PERCENT] [--only TEXT] [--npu-every N]
//
// Runs every case of a folder that make_node_cases.py wrote, prints those that do not pass, and ends with 1 when a result is wrong or fewer
// than PERCENT of the cases without random numbers pass. Every N-th case that passes runs on the emulated NPU too.
#include "tests/graph/import/onnx/run_case.h"

#include "runtime/diag/diag.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>

namespace emulsion::graph {
namespace {

struct Count {
    int pass = 0, not_supported = 0, wrong = 0;
    void add(Verdict v) { (v == Verdict::pass ? pass : v == Verdict::wrong ? wrong : not_supported)++; }
    int all() const { return pass + not_supported + wrong; }
};

struct Row {
    Count itself, function;  ///< the operator, and its definition by others
};

struct Totals {
    Count all;
    int random = 0, constants = 0, at_import = 0, npu = 0, host_only = 0;
    std::map<std::string, Row> rows;
    std::map<std::string, int> codes;
};

std::string page(const Totals &t) {
    std::string s = "# Backend node tests of ONNX\n\nMade by `ninja emulsion_onnx_page`; a test checks that it is fresh. Cases: the PyPI package onnx, as requirements.txt pins it.\n"
                    "A case passes when its model is imported, every node runs as generator calls, and the results are those of the package: integers equal, floats within\n"
                    "1e-7 + 1e-3 of the value (bfloat16 and float16: two units in the last place). \"Function form\": the operator written out by its definition. Parameters that models store are constants in the model.\n\n";
    s += fmt::format("{} of {} cases without random numbers pass ({:.1f} %), {} are not supported, {} are wrong. {} cases have random results. Of those that pass, {} take inputs as\n"
                     "constants and {} are computed at import.\n\n",
                     t.all.pass, t.all.all(), 100.0 * t.all.pass / std::max(1, t.all.all()), t.all.not_supported, t.all.wrong, t.random, t.constants, t.at_import);
    s += "| Operator | Pass | Not supported | Wrong | Function form: pass | Not supported | Wrong |\n|---|---|---|---|---|---|---|\n";
    for (const auto &[name, r] : t.rows)
        s += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, r.itself.pass, r.itself.not_supported, r.itself.wrong, r.function.pass, r.function.not_supported, r.function.wrong);
    s += "\n| Code of what is not supported | Cases |\n|---|---|\n";
    for (const auto &[code, n] : t.codes) s += fmt::format("| {} | {} |\n", code, n);
    return s;
}

/// "test_gelu_tanh_1_expanded_ver18" -> "test_gelu_tanh_1"
std::string without_suffix(const std::string &name) { return name.substr(0, name.find("_expanded")); }

std::string text_of(const std::filesystem::path &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Options {
    std::string cases, page, fresh, only;
    double least = 0;
    int npu_every = 0;
};

void run_on_npu(const NodeCase &c, NodeRunner &npu, Totals &t, Outcome &o) {
    const Outcome there = run_case(c, npu);
    if (there.verdict == Verdict::pass) t.npu++;
    else if (there.verdict == Verdict::not_supported) t.host_only++;
    else o = there, o.why = "on the NPU: " + o.why;
}

int run(const Options &options) {
    NodeRunner host, npu(load_target("edge-256"));
    std::vector<std::filesystem::path> folders;
    for (const auto &entry : std::filesystem::directory_iterator(options.cases))
        if (entry.is_directory() && entry.path().filename().string().find(options.only) != std::string::npos) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    std::map<std::string, std::string> operators;
    Totals t;
    int passed = 0;
    for (const auto &folder : folders) {
        const NodeCase c = read_case(folder);
        const std::string base = without_suffix(c.name);
        if (!is_function_form(c)) operators[c.name] = operator_of(c);
        const auto named = operators.find(base);
        Row &row = t.rows[named == operators.end() ? operator_of(c) : named->second];
        if (is_random(c)) {
            t.random++;
            continue;
        }
        Outcome o = run_case(c, host);
        if (o.verdict == Verdict::pass && o.nodes > 0 && options.npu_every > 0 && ++passed % options.npu_every == 0) run_on_npu(c, npu, t, o);
        t.all.add(o.verdict);
        (is_function_form(c) ? row.function : row.itself).add(o.verdict);
        if (o.verdict == Verdict::pass) t.constants += o.constants, t.at_import += o.nodes == 0;
        else fmt::print("{} {}: {} {}\n", o.verdict == Verdict::wrong ? "wrong" : "not supported", c.name, o.code, o.why.substr(0, 240));
        if (o.verdict == Verdict::not_supported) t.codes[o.code]++;
    }
    const double share = 100.0 * t.all.pass / std::max(1, t.all.all());
    fmt::print("{} pass, {} not supported, {} wrong, {} random: {:.1f} %; on the NPU too: {}, {} only on the host\n", t.all.pass, t.all.not_supported, t.all.wrong, t.random, share, t.npu, t.host_only);
    const std::string text = page(t);
    if (!options.page.empty()) std::ofstream(options.page) << text;
    const bool fresh = options.fresh.empty() || text_of(options.fresh) == text;
    if (!fresh) fmt::print("{} is stale; run: ninja emulsion_onnx_page\n", options.fresh);
    return t.all.wrong > 0 || share < options.least || !fresh ? 1 : 0;
}

}  // namespace
}  // namespace emulsion::graph

int main(int argc, char **argv) {
    CLI::App app("Backend node tests of ONNX");
    emulsion::graph::Options o;
    app.add_option("cases", o.cases, "folder of cases")->required();
    app.add_option("--page", o.page, "write the table to this file");
    app.add_option("--fresh", o.fresh, "compare the table with this file");
    app.add_option("--only", o.only, "cases whose name has this text");
    app.add_option("--least", o.least, "per cent that must pass");
    app.add_option("--npu-every", o.npu_every, "every N-th passing case on the NPU too");
    CLI11_PARSE(app, argc, argv);
    return emulsion::graph::run(o);
}
