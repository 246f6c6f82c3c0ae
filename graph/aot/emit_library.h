// A compiled model as a static library with a C ABI: int name(halide_buffer_t *inputs..., halide_buffer_t *outputs...), name_argv,
// name_metadata, and its header. Weights and program are embedded.
#pragma once
#include "graph/model/model.h"

#include <string>

namespace emulsion::graph {

struct LibraryOptions {
    std::string function;        ///< C name; "space::name": a C++ function
    std::string base;            ///< files are <base>.a, <base>.h, <base>.registration.cpp
    std::string host = "host";   ///< Halide target of the machine the library runs on
};

/// `name` as a C identifier: other characters become '_', a leading digit gets one before it.
std::string identifier(const std::string &name);

/// Buffers are named after the model's values (identifier), extents and strides of the model are checked at each call, innermost dimension
/// first. Raises EM775 for a model with parts on the host: a library holds the NPU alone. EM602 when a file cannot be written.
void emit_library(const CompiledModel &model, const LibraryOptions &options);

}  // namespace emulsion::graph
