// The order of the passes, in one table.
#pragma once
#include "graph/ir/graph.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace emulsion::graph {

struct Pass {
    std::string_view name, says;
    bool (*run)(Graph &);
};

/// In the order in which they run; the whole table is repeated until nothing changes.
const std::vector<Pass> &pass_pipeline();

using PassObserver = std::function<void(const std::string &pass, const Graph &)>;

/// Runs the table without the passes named in `without`; verifies before the first and after each pass, and calls `observe` (may be
/// empty) after each that changed the graph. Raises EM711 for a name that the table lacks, EM708 for a graph that breaks a rule.
void run_passes(Graph &graph, const std::vector<std::string> &without, const PassObserver &observe);

}  // namespace emulsion::graph
