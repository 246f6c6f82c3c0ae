#include "graph/passes/pipeline.h"

#include "graph/passes/passes.h"
#include "graph/passes/verify_graph.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace emulsion::graph {
namespace {

constexpr int most_rounds = 8;  // a guard: every pass makes the graph smaller or moves something toward the outputs

const Pass table[] = {
    {"fold_constants", "nodes of constants become constants", fold_constants},
    {"simplify", "nodes that do nothing, undo each other or repeat themselves go", simplify},
    {"move_transposes", "transposes sink through element-wise nodes, meet and cancel", move_transposes},
    {"merge_equal_nodes", "equal nodes become one", merge_equal_nodes},
    {"remove_dead_nodes", "nodes that no output needs go", remove_dead_nodes},
};

void require_known(const std::vector<std::string> &names) {
    std::vector<std::string_view> known;
    for (const Pass &p : table) known.push_back(p.name);
    for (const std::string &name : names)
        if (std::find(known.begin(), known.end(), name) == known.end()) raise(Diag::pass_unknown, {.stage = "graph"}, name, fmt::format("{}", fmt::join(known, ", ")));
}

}  // namespace

const std::vector<Pass> &pass_pipeline() {
    static const std::vector<Pass> pipeline(std::begin(table), std::end(table));
    return pipeline;
}

void run_passes(Graph &graph, const std::vector<std::string> &without, const PassObserver &observe) {
    require_known(without);
    verify_graph(graph);
    bool changed = true;
    for (int round = 0; changed && round < most_rounds; round++) {
        changed = false;
        for (const Pass &p : pass_pipeline()) {
            if (std::find(without.begin(), without.end(), p.name) != without.end() || !p.run(graph)) continue;
            changed = true;
            verify_graph(graph);
            if (observe) observe(std::string(p.name), graph);
        }
    }
}

}  // namespace emulsion::graph
