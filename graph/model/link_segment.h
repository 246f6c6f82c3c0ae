// One program over all kernels of a segment.
#pragma once
#include "graph/model/compile_kernels.h"
#include "graph/model/model.h"

namespace emulsion::graph {

/// Verified; its regions are the model's inputs, outputs, the constants and the arena. Raises EM4xx and EM76x.
Program link_segment(const CompiledModel &model, const Segment &segment, const KernelCompiler &kernels, bool prefetch);

}  // namespace emulsion::graph
