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
    std::map<std::string, int> constants;         ///< symbols fixed by request.shapes
    std::map<std::string, std::string> renames;   ///< output Func name -> argument name
};

/// Raises EM2xx for an unknown generator or parameter, a shape of the wrong rank, or an error inside the generator.
Instance instantiate(const CompileRequest &request, const TargetDesc &target);

}  // namespace emulsion
