// Builds a registered generator for a machine and collects what the backend needs of it.
#pragma once
#include "npu_backend/compile.h"
#include "npu_backend/tile/build_tiles.h"

#include <map>
#include <string>
#include <vector>

namespace emulsion {

struct Instance {
    std::vector<Halide::Internal::Function> outputs;
    std::vector<BoundBuffer> buffers;             ///< inputs, then outputs, in argument order
    std::map<std::string, Halide::Expr> constants;  ///< symbols fixed by request.shapes and request.scalars
    std::map<std::string, std::string> renames;   ///< output Func name -> argument name
};

/// Raises EM2xx for an unknown generator or parameter, a shape of the wrong rank, or an error inside the generator.
Instance instantiate(const CompileRequest &request, const TargetDesc &target);

// Steps that stitched groups share (stitch.cpp).
Halide::Internal::AbstractGeneratorPtr create_generator(const std::string &name);
/// Fixes the parameter's shape (looked up under `key`) or value; `bound`: it is an argument of the program.
void add_parameter(Instance &instance, const CompileRequest &request, Halide::Parameter p, const std::string &key, bool bound = true);
void add_output_func(Instance &instance, const CompileRequest &request, const std::string &name, Halide::Func f,
                     const std::string &suffix = "");

}  // namespace emulsion
