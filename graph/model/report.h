// What a compiled model is, as text or JSON: kernels with their place and price, arena, cycles, what the host costs.
#pragma once
#include "graph/model/model.h"
#include "runtime/emulator/emulator.h"

#include <string>

namespace emulsion::graph {

/// `kernels`: a row for each kernel.
std::string to_text(const CompiledModel &model, const std::vector<TimingReport> &timing, bool kernels);
std::string to_json(const CompiledModel &model, const std::vector<TimingReport> &timing);

}  // namespace emulsion::graph
