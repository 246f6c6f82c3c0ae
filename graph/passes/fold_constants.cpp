// Nodes whose inputs are all constants, computed by the node's own generator under stock Halide.
//
//   const %h: f16[8]
//   %w = dequantize(%h)      ->    const %w: f32[8]
#include "graph/passes/passes.h"

#include "graph/kernel/run_nodes.h"
#include "runtime/diag/diag.h"

#include <algorithm>

namespace emulsion::graph {
namespace {

constexpr int64_t most_elements = int64_t{1} << 24;  ///< of one result: a constant takes room in the program file

bool is_foldable(const Graph &graph, const Node &n) {
    const auto is_constant = [&](ValueId v) { return v != no_value && graph.value(v).is_constant(); };
    const auto is_small = [&](ValueId v) {
        const Shape &s = graph.value(v).shape;
        return std::all_of(s.begin(), s.end(), [](const Dimension &d) { return d.is_static() && d.extent > 0; }) && element_count(extents_of(s, graph.value(v).name)) <= most_elements;
    };
    const auto is_free = [&](ValueId v) { return std::find(graph.outputs.begin(), graph.outputs.end(), v) == graph.outputs.end(); };
    return n.op != "unknown" && !n.inputs.empty() && std::all_of(n.inputs.begin(), n.inputs.end(), is_constant) && std::all_of(n.outputs.begin(), n.outputs.end(), is_small) &&
           std::all_of(n.outputs.begin(), n.outputs.end(), is_free);
}

}  // namespace

bool fold_constants(Graph &graph) {
    NodeRunner runner;
    bool changed = false;
    for (Node &n : graph.nodes) {
        if (!is_foldable(graph, n)) continue;
        Tensors results;
        try {
            runner.run(graph, n, results);
        } catch (const Error &e) {
            if (info(e.diagnostic().id).kind == DiagKind::internal) throw;
            continue;  // no generator computes it: the report says so where its kernel is chosen
        }
        for (ValueId v : n.outputs) graph.value(v).data = std::make_shared<const std::vector<uint8_t>>(std::move(results.at(v)));
        n.op.clear();
        changed = true;
    }
    if (changed) graph.compact();
    return changed;
}

}  // namespace emulsion::graph
