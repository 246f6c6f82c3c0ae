// One run of a kernel: its signature, buffers and scalars, gathered from the command line.
#pragma once
#include "apps/emulsion/tensor.h"
#include "npu_backend/reference/reference.h"
#include "runtime/device/bind.h"
#include "runtime/program/program.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace emulsion::command {

using Shapes = std::map<std::string, std::vector<int>>;

/// What the command line says about a run, by name.
struct RunWords {
    std::string kernel;
    std::map<std::string, std::string> inputs, outputs;
    Shapes shapes;
};

/// The signature of a program without its generator.
std::vector<Signature> signature_of(const Program &program);

struct KernelRun {
    NamedBuffers inputs, outputs;
    NamedScalars scalars;
    Shapes shapes;  ///< of every buffer
};

/// Completes shapes, then makes the buffers. An output's extents are those given, or the generator's estimate, or those of
/// the first input of its rank that has extents; an input's are those given, its file's, or what the outputs need
/// (`reference`; null when there is no generator). Inputs nobody names are random:1. Raises EM214 for a
/// scalar without a value, EM605..EM609.
KernelRun prepare_run(const std::vector<Signature> &signature, const RunWords &words, Reference *reference);

/// The run's buffers as bind_buffers() takes them.
std::map<std::string, halide_buffer_t *> raw_buffers(KernelRun &run);
/// LaunchOptions::verifier: proves a program for the memory and arguments of one launch. Raises EM4xx.
Certificate prove(const Program &program, const TargetDesc &target, const Binding &binding);

/// Fresh, zeroed buffers of the outputs' types and extents.
NamedBuffers empty_outputs(const std::vector<Signature> &signature, const Shapes &shapes);

}  // namespace emulsion::command
