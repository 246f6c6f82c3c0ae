// A graph to a compiled model: passes, fused groups, kernels, storage, one program per NPU segment.
#pragma once
#include "graph/model/model.h"

#include <functional>
#include <string>
#include <vector>

namespace emulsion::graph {

struct ModelOptions {
    bool fuse = true;                        ///< false: every node a kernel of its own
    bool prefetch = true;                    ///< load the next kernel's weights early
    std::map<std::string, int64_t> symbols;  ///< extents of symbolic dimensions
    std::vector<std::string> without_passes; ///< names of graph/passes/pipeline.cpp
    /// Called after import, and after each pass that changed the graph, with its name.
    std::function<void(const std::string &pass, const Graph &)> observe;
};

/// Raises EM7xx for graphs that cannot be compiled; a node that only the NPU cannot run is placed on the host, with a warning EM773
/// and the rule it broke in Kernel::rule.
CompiledModel compile_model(Graph graph, const TargetDesc &target, const ModelOptions &options = {});

}  // namespace emulsion::graph
