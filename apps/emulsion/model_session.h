// A model ready to run: compiled from its file, or read back as a program file.
#pragma once
#include "apps/emulsion/model_options.h"
#include "graph/model/run_model.h"

#include <optional>
#include <string>
#include <vector>

namespace emulsion::command {

/// Whether a program is a whole model's: its regions say their extents.
bool holds_model(const Program &program);

class ModelSession {
public:
    /// Compiles a model file. Raises EM603, EM7xx.
    ModelSession(const std::string &path, const TargetDesc &target, const ModelWords &words);
    /// A program file's program; raises EM557 when its certificate belongs to another one.
    ModelSession(Program program, TargetDesc target);

    /// Inputs and outputs: name, type, shape and quantisation.
    const std::vector<graph::Value> &inputs() const { return inputs_; }
    const std::vector<graph::Value> &outputs() const { return outputs_; }

    /// Raises EM770, EM772 for inputs that do not fit, EM5xx from the emulator.
    graph::ModelRun run(const std::vector<std::vector<uint8_t>> &inputs, const graph::ModelRunOptions &options);

    /// The NPU's programs in the order in which they run: one when nothing runs on the host.
    std::vector<const Program *> programs() const;
    const TargetDesc &target() const { return target_; }
    /// Null for a program file: places of the nodes, storage and compile times are in here.
    const graph::CompiledModel *compiled() const { return compiled_ ? &*compiled_ : nullptr; }
    /// The graph as imported; null for a program file.
    const graph::Graph *imported() const { return imported_ ? &*imported_ : nullptr; }

private:
    TargetDesc target_;
    std::vector<graph::Value> inputs_, outputs_;
    std::optional<graph::Graph> imported_;
    std::optional<graph::CompiledModel> compiled_;
    Program program_;
};

}  // namespace emulsion::command
