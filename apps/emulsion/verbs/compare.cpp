// emulsion compare: a model on the NPU against the stored results of its framework's reference kernels.
#include "apps/emulsion/model_options.h"
#include "apps/emulsion/npz.h"
#include "apps/emulsion/request.h"
#include "apps/emulsion/verb.h"
#include "graph/kernel/run_nodes.h"
#include "graph/model/report.h"
#include "graph/model/run_model.h"
#include "runtime/diag/diag.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/ranges.h>
#include <memory>

namespace emulsion::command {
namespace {

using graph::Value;
using Bytes = std::vector<uint8_t>;
using Arrays = std::map<std::string, Halide::Buffer<>>;

struct Options {
    ModelWords model;
    std::string path, against;
    bool layers = false, host = false, nodes = false;
    double tolerance = 0;
};

Bytes bytes_of_array(const Halide::Buffer<> &b) {
    const auto *data = static_cast<const uint8_t *>(b.data());
    return {data, data + b.size_in_bytes()};
}

/// How far two results of value `v` are apart.
struct Distance {
    int64_t elements = 0, different = 0, first = -1;
    double largest = 0, have = 0, want = 0;
};

Distance distance(const Value &v, const Bytes &have, const Bytes &want, double tolerance) {
    const auto reals = [&](const Bytes &bytes) {
        Value c = v;
        c.data = std::make_shared<const Bytes>(bytes);
        return constant_reals(c);
    };
    Distance d;
    d.elements = graph::element_count(extents_of(v.shape, v.name));
    if (have == want) return d;
    const std::vector<double> a = reals(have), b = reals(want);
    for (size_t k = 0; k < a.size(); k++) {
        const bool same = (std::isnan(a[k]) && std::isnan(b[k])) || std::abs(a[k] - b[k]) <= tolerance * std::max(1.0, std::abs(b[k])) || a[k] == b[k];
        if (!same && d.first < 0) d.first = static_cast<int64_t>(k), d.have = a[k], d.want = b[k];
        d.different += !same;
        d.largest = std::max(d.largest, std::abs(a[k] - b[k]));
    }
    return d;
}

/// The sets of inputs in an archive: in<i>_<seed> with ref<j>_<seed>, or in and out.
struct Case {
    std::string name;
    std::vector<Bytes> inputs, outputs;
    std::map<std::string, Bytes> layers;  ///< by value name or "#<index>"
};

const Halide::Buffer<> *find(const Arrays &arrays, const std::string &name) {
    auto it = arrays.find(name);
    return it == arrays.end() ? nullptr : &it->second;
}

std::vector<Case> cases_of(const std::string &path) {
    const Arrays arrays = read_npz(path);
    std::vector<Case> cases;
    if (find(arrays, "in") && find(arrays, "out")) cases.push_back({"", {bytes_of_array(*find(arrays, "in"))}, {bytes_of_array(*find(arrays, "out"))}, {}});
    for (int seed = 0; find(arrays, fmt::format("ref0_{}", seed)); seed++) {
        Case c{fmt::format("seed {}", seed), {}, {}, {}};
        for (int k = 0; const auto *b = find(arrays, fmt::format("in{}_{}", k, seed)); k++) c.inputs.push_back(bytes_of_array(*b));
        for (int k = 0; const auto *b = find(arrays, fmt::format("ref{}_{}", k, seed)); k++) c.outputs.push_back(bytes_of_array(*b));
        const std::string end = fmt::format("_{}", seed);
        for (const auto &[name, array] : arrays)
            if (name.starts_with("layer:") && name.ends_with(end)) c.layers[name.substr(6, name.size() - 6 - end.size())] = bytes_of_array(array);
        cases.push_back(std::move(c));
    }
    if (cases.empty()) raise(Diag::expected_missing, {}, path, "inputs and outputs");
    return cases;
}

void require_sizes(const std::string &path, const graph::Graph &g, const std::vector<graph::ValueId> &ids, const std::vector<Bytes> &have, const char *what) {
    if (ids.size() != have.size()) raise(Diag::expected_missing, {}, path, fmt::format("{} {}; it has {}", ids.size(), what, have.size()));
    for (size_t k = 0; k < ids.size(); k++) {
        const Value &v = g.value(ids[k]);
        if (graph::byte_size(v) != std::ssize(have[k])) raise(Diag::expected_missing, {}, path, fmt::format("array of {} B for \"{}\"", graph::byte_size(v), v.name));
    }
}

/// Layer by layer, NPU against the stored layers, or against stock Halide on the host where none are stored. Returns the number that differ.
int compare_layers(const Options &o, const graph::Graph &g, const TargetDesc &target, const Case &c) {
    graph::NodeRunner npu(o.host ? std::nullopt : std::optional(target)), host;
    graph::Tensors have, want;
    for (size_t k = 0; k < c.inputs.size(); k++) have[g.inputs[k]] = want[g.inputs[k]] = c.inputs[k];
    int different = 0;
    for (const graph::Node &n : g.nodes) {
        npu.run(g, n, have);
        if (c.layers.empty()) host.run(g, n, want);
        for (graph::ValueId id : n.outputs) {
            const Value &v = g.value(id);
            const auto stored = c.layers.find(v.name);
            if (stored != c.layers.end()) want[id] = stored->second;
            if (!want.contains(id) || want[id].size() != have[id].size()) continue;
            const Distance d = distance(v, have[id], want[id], o.tolerance);
            if (d.different && different++ == 0)
                fmt::print("  {}\n", make_diagnostic(Diag::model_layer_differs, {.stage = "compare"}, fmt::make_format_args(n.name, n.origin, d.first, d.have, d.want, d.different, d.elements)).text());
            if (o.layers) fmt::print("  {:24} {:40} {} of {} differ, largest {:.4g}\n", n.origin, v.name, d.different, d.elements, d.largest);
            have[id] = want[id];  // each layer by itself: the next one starts from the right values
        }
    }
    return different;
}

/// Number of elements that differ in one model.
int64_t compare_model(const Options &o, const std::string &path, const std::string &expected) {
    const TargetDesc target = target_or(o.model.target);
    const graph::Graph imported = read_model(path, o.model.options().symbols);
    const std::vector<Case> cases = cases_of(expected);
    int64_t different = 0;
    std::optional<graph::CompiledModel> compiled;
    if (!o.nodes) compiled = graph::compile_model(imported, target, o.model.options());
    const std::string name = std::filesystem::path(path).stem().string();
    for (const Case &c : cases) {
        require_sizes(expected, imported, imported.inputs, c.inputs, "inputs");
        require_sizes(expected, imported, imported.outputs, c.outputs, "outputs");
        std::vector<Bytes> outputs;
        if (compiled) {
            outputs = graph::run_model(*compiled, c.inputs).outputs;
        } else {
            const graph::Tensors all = graph::run_nodes(imported, c.inputs, o.host ? nullptr : &target);
            for (graph::ValueId v : imported.outputs) outputs.push_back(imported.value(v).data ? *imported.value(v).data : all.at(v));
        }
        for (size_t k = 0; k < outputs.size(); k++) {
            const Distance d = distance(imported.value(imported.outputs[k]), outputs[k], c.outputs[k], o.tolerance);
            different += d.different;
            fmt::print("{} {} output {}: {}\n", name, c.name, k,
                       d.different ? fmt::format("{} of {} elements differ, largest difference {:.6g}", d.different, d.elements, d.largest)
                                   : fmt::format("{} elements equal{}", d.elements, o.tolerance > 0 ? fmt::format(" within {}", o.tolerance) : " byte for byte"));
        }
        if (different || o.layers) compare_layers(o, imported, target, c);
    }
    return different;
}

int run_compare(const Options &o) {
    std::string expected = o.against;
    if (std::filesystem::is_directory(expected)) expected = (std::filesystem::path(expected) / (std::filesystem::path(o.path).stem().string() + ".npz")).string();
    return compare_model(o, o.path, expected) == 0 ? 0 : 2;
}

const RegisterVerb verb{{"compare", "Compares a model on the NPU with stored results of its framework's reference kernels.",
                         {"emulsion compare model.tflite --against expected/ --target edge-256", "emulsion compare model.tflite --against expected/model.npz --layers"},
                         [](CLI::App &app) {
                             auto o = std::make_shared<Options>();
                             app.add_option("model", o->path, "FILE.tflite or FILE.onnx")->required();
                             app.add_option("--against", o->against, "FILE.npz, or a folder with MODEL.npz: in<i>_<seed>, ref<j>_<seed>, layer:<name>_<seed>")->required();
                             add_target_option(app, o->model.target);
                             o->model.add_to(app);
                             app.add_flag("--layers", o->layers, "list every layer; without stored layers stock Halide on the host is the judge");
                             app.add_flag("--nodes", o->nodes, "run node by node, each kernel a program of its own");
                             app.add_flag("--host", o->host, "with --nodes: on the host");
                             app.add_option("--tolerance", o->tolerance, "allowed difference, relative to the larger of 1 and the expected value")->capture_default_str();
                             return [o] { return run_compare(*o); };
                         }}};

}  // namespace
}  // namespace emulsion::command
