// Where values live: model inputs and outputs in their own regions, the rest in one arena that values share by lifetime.
#pragma once
#include "graph/model/model.h"

namespace emulsion::graph {

struct StoragePlan {
    std::map<ValueId, Storage> storage;
    ArenaReport arena;
};

/// Steps are kernel indices. A node without kernels (reshape) gives its output the place of its input; an output of the model
/// that would lie in an input, a constant or another output gets a copy kernel, appended to `kernels`.
StoragePlan assign_storage(const Graph &graph, std::vector<Kernel> &kernels);

}  // namespace emulsion::graph
