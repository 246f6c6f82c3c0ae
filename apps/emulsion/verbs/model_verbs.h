// What the verbs do with a model instead of a kernel.
#pragma once
#include "apps/emulsion/model_options.h"
#include "apps/emulsion/model_tensor.h"
#include "runtime/emulator/emulator.h"

#include <optional>
#include <string>
#include <vector>

namespace emulsion::command {

struct ModelCompileWords {
    std::string path, target, output, library, function;
    std::vector<std::string> stages;  ///< graph, dot, asm: printed
    bool every_pass = false, kernels = false, json = false;
    ModelWords model;
};
inline const std::vector<std::string> model_stages = {"graph", "dot", "asm"};

/// Compiles a model; writes its program, or a static library and header. Raises EM604 for a stage that models lack, EM775 for a program with host parts, EM7xx.
int compile_model_file(const ModelCompileWords &words);

struct ModelRunWords {
    std::string path, target;
    std::vector<std::string> inputs, outputs;  ///< NAME=SOURCE, or SOURCE when there is one
    std::string labels, trace;
    int top = 5;
    PixelScale pixels;
    bool compare = false, explain = false, json = false;
    InterpreterOptions interpreter;
    ModelWords model;
};

/// Runs a model file, or `program` when it was read from a program file. Raises EM604..EM607, EM7xx, EM5xx; EM902 when --compare finds a difference.
int run_model_file(const ModelRunWords &words, std::optional<Program> program = {});

}  // namespace emulsion::command
