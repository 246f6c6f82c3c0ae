#include "tests/graph/import/onnx/run_case.h"

#include "graph/import/onnx.h"
#include "graph/import/onnx/tensor.h"
#include "runtime/diag/diag.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emulsion::graph {
namespace {

using Bytes = std::vector<uint8_t>;

Graph imported(const NodeCase &c, const NodeCase::Data &data, const std::vector<bool> &constant) {
    const std::string file = with_constants(c, data, constant);
    return import_onnx({reinterpret_cast<const uint8_t *>(file.data()), file.size()}, c.name);
}

/// Empty: equal.
std::string difference(const Value &have, const Bytes &bytes, const Value &want) {
    if (have.type != want.type) return fmt::format("type {} instead of {}", info(have.type).name, info(want.type).name);
    if (have.shape != want.shape) return fmt::format("shape [{}] instead of [{}]", fmt::join(extents_of(have.shape, ""), ", "), fmt::join(extents_of(want.shape, ""), ", "));
    Value v = want;
    v.data = std::make_shared<const Bytes>(bytes);
    if (!info(want.type).is_float) return bytes == *want.data ? "" : [&] {
        const auto a = constant_integers(v), b = constant_integers(want);
        for (size_t k = 0; k < a.size(); k++)
            if (a[k] != b[k]) return fmt::format("element {} is {} instead of {}", k, a[k], b[k]);
        return std::string();
    }();
    const std::vector<double> a = constant_reals(v), b = constant_reals(want);
    // Of short floats two units in the last place: some expected values were rounded more often than the case's own graph says.
    const double relative = want.type == DataType::bf16 ? 1.0 / 64 : want.type == DataType::f16 ? 1.0 / 512 : 1e-3;
    for (size_t k = 0; k < a.size(); k++) {
        const bool same = a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k])) || std::fabs(a[k] - b[k]) <= 1e-7 + relative * std::fabs(b[k]);
        if (!same) return fmt::format("element {} is {} instead of {}", k, a[k], b[k]);
    }
    return "";
}

Outcome run_data(const NodeCase &c, const NodeCase::Data &data, const std::vector<bool> &constant, NodeRunner &runner) {
    const Graph g = imported(c, data, constant);
    Outcome o;
    o.nodes = static_cast<int>(g.nodes.size());
    Tensors tensors;
    for (ValueId id : g.inputs) {
        for (size_t k = 0; k < data.inputs.size(); k++)
            if (c.model.graph().input(static_cast<int>(k)).name() == g.value(id).name) {
                const Value v = onnx_import::constant_from(data.inputs[k], g.value(id).name);
                if (static_cast<int64_t>(v.data->size()) == byte_size(g.value(id))) tensors[id] = *v.data;
            }
    }
    for (const Node &n : g.nodes) runner.run(g, n, tensors);
    for (size_t k = 0; k < data.outputs.size() && k < g.outputs.size(); k++) {
        const Value &have = g.value(g.outputs[k]);
        const std::string d = difference(have, have.data ? *have.data : tensors.at(g.outputs[k]), onnx_import::constant_from(data.outputs[k], have.name));
        if (!d.empty()) return {.verdict = Verdict::wrong, .code = {}, .why = fmt::format("output {}: {}", k, d), .constants = false, .nodes = o.nodes};
    }
    return o;
}

/// Tries with ever more constants.
Outcome run_set(const NodeCase &c, const NodeCase::Data &data, NodeRunner &runner) {
    std::vector<bool> constant(data.inputs.size(), false);
    Outcome o;
    bool all = false;
    while (true) {
        try {
            const Outcome done = run_data(c, data, constant, runner);
            o = done;
            o.constants = std::find(constant.begin(), constant.end(), true) != constant.end();
            return o;
        } catch (const Error &e) {
            o = {.verdict = Verdict::not_supported, .code = e.diagnostic().code(), .why = e.diagnostic().message, .constants = false, .nodes = 0};
            bool more = false;
            for (size_t k = 0; k < constant.size() && e.diagnostic().id == Diag::graph_not_constant; k++)
                if (!constant[k] && c.model.graph().input(static_cast<int>(k)).name() == e.diagnostic().place.node) constant[k] = more = true;
            if (more) continue;
            if (all || constant.size() < 2) return o;
            all = true;
            for (size_t k = 1; k < constant.size(); k++) constant[k] = true;
        }
    }
}

}  // namespace

Outcome run_case(const NodeCase &c, NodeRunner &runner) {
    if (!c.unreadable.empty()) return {.verdict = Verdict::not_supported, .code = "EM721", .why = c.unreadable, .constants = false, .nodes = 0};
    Outcome o;
    for (const NodeCase::Data &data : c.data) {
        try {
            o = run_set(c, data, runner);
        } catch (const std::exception &e) {
            o = {.verdict = Verdict::wrong, .code = {}, .why = fmt::format("no coded error: {}", e.what()), .constants = false, .nodes = 0};
        }
        if (o.verdict != Verdict::pass) return o;
    }
    return o;
}

}  // namespace emulsion::graph
