// Runs a compiled model on the emulated machine; host kernels run under stock Halide.
#pragma once
#include "graph/kernel/tensors.h"
#include "graph/model/model.h"
#include "runtime/emulator/emulator.h"

#include <optional>

namespace emulsion::graph {

struct ModelRun {
    std::vector<std::vector<uint8_t>> outputs;  ///< Graph::outputs in order
    std::vector<TimingReport> timing;           ///< one per NPU segment
};

struct ModelRunOptions {
    InterpreterOptions interpreter{};
    TimingOptions timing{};
};

/// Raises EM770, EM772 when `inputs` do not fit the model's (`name`: its name).
void check_inputs(const std::string &name, const std::vector<Value> &inputs, const std::vector<std::vector<uint8_t>> &bytes);

/// `inputs`: Graph::inputs in order, row major. Raises EM770, EM772 for inputs that do not fit, EM5xx from the emulator.
ModelRun run_model(const CompiledModel &model, const std::vector<std::vector<uint8_t>> &inputs, const ModelRunOptions &options = {});

/// The cycles alone: they do not depend on the data.
std::vector<TimingReport> time_model(const CompiledModel &model, const TimingOptions &options = {});

}  // namespace emulsion::graph
