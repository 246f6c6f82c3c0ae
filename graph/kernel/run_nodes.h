// Runs a graph node by node: on the host (the generator under stock Halide) or on the NPU (one program per kernel call). Slow and plain:
// the judge of compiled models, and what names the first layer that differs.
#pragma once
#include "graph/kernel/tensors.h"
#include "runtime/isa/target_desc.h"

#include <memory>
#include <optional>

namespace emulsion::graph {

/// Keeps what it compiled, so that equal calls are compiled once.
class NodeRunner {
public:
    /// No target: the host.
    explicit NodeRunner(std::optional<TargetDesc> target = {});
    ~NodeRunner();

    /// Reads the node's inputs from `tensors` or the graph's constants, and adds its outputs. Raises EM710 for what no generator
    /// computes, EM771 when an input is missing.
    void run(const Graph &graph, const Node &node, Tensors &tensors);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// All values of the graph for these inputs (Graph::inputs in order). Raises EM770, EM772 when number or sizes differ from the graph's.
Tensors run_nodes(const Graph &graph, const std::vector<std::vector<uint8_t>> &inputs, const TargetDesc *target = nullptr);

}  // namespace emulsion::graph
