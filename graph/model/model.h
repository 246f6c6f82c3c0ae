// A compiled model: kernels in order, grouped into segments that run on one side, and where each value lies in between.
#pragma once
#include "graph/kernel/kernel_call.h"
#include "npu_backend/compile.h"
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <map>
#include <string>
#include <vector>

namespace emulsion::graph {

enum class Unit : uint8_t { npu, host };

/// One compiled kernel: a node, part of a node, or a fused group.
struct Kernel {
    std::string name{};             ///< of its last node
    std::vector<NodeId> nodes{};    ///< more than one: fused
    CompileRequest request{};
    std::vector<KernelArgument> arguments{};  ///< named as the request's buffers
    std::map<std::string, int64_t> scalars{}; ///< host: by the generator's own names
    Unit unit = Unit::npu;
    std::string rule{}, advice{};     ///< host: what kept it off the NPU, and the smallest change that would move it
};

/// Where a value lies while the model runs.
struct Storage {
    RegionKind kind = RegionKind::arena;  ///< input, output, constants (graph constants read as they are) or arena
    int index = 0;                        ///< input, output: position in the graph's list
    int64_t offset = 0;                   ///< arena: bytes from its start
};

/// Neighbouring kernels on one side. NPU: one program over all of them.
struct Segment {
    Unit unit = Unit::npu;
    std::vector<int> kernels{};  ///< indices into CompiledModel::kernels
    Program program{};           ///< NPU
};

struct ArenaReport {
    int64_t bytes = 0;        ///< what the plan takes
    int64_t lower_bound = 0;  ///< most bytes live at once: no plan takes less
};

struct CompiledModel {
    Graph graph;  ///< after the passes
    TargetDesc target;
    std::vector<Kernel> kernels;
    std::vector<Segment> segments;
    std::map<ValueId, Storage> storage;
    ArenaReport arena;
    std::vector<PassTime> times;

    bool on_npu_alone() const { return segments.size() == 1 && segments[0].unit == Unit::npu; }
};

}  // namespace emulsion::graph
