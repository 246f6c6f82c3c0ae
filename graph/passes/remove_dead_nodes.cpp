// Nodes whose results nobody reads.
//
//   %a = relu(%x)                  %a = relu(%x)
//   %b = add(%x, %y)         ->    out %a
//   out %a
#include "graph/passes/passes.h"

#include <algorithm>

namespace emulsion::graph {

bool remove_dead_nodes(Graph &graph) {
    std::vector<bool> needed(graph.values.size(), false);
    for (ValueId v : graph.outputs) needed[v] = true;
    bool changed = false;
    for (auto n = graph.nodes.rbegin(); n != graph.nodes.rend(); ++n) {  // readers come after what they read
        if (std::any_of(n->outputs.begin(), n->outputs.end(), [&](ValueId v) { return needed[v]; })) {
            for (ValueId v : n->inputs)
                if (v != no_value) needed[v] = true;
        } else {
            n->op.clear();
            changed = true;
        }
    }
    if (changed) graph.compact();
    return changed;
}

}  // namespace emulsion::graph
