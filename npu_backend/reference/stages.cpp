#include "npu_backend/reference/stages.h"

#include <algorithm>

namespace emulsion {

using namespace Halide;

void compute_stages_once(const Pipeline &pipeline) {
    std::vector<Internal::Function> outputs;
    for (const Func &f : pipeline.outputs()) outputs.push_back(f.function());
    for (auto &[name, function] : Internal::build_environment(outputs)) {
        // A level may be inspected once locked; nothing schedules the pipeline after this.
        Halide::LoopLevel level = function.schedule().compute_level();
        level.lock();
        const bool is_output = std::any_of(outputs.begin(), outputs.end(), [&](auto &o) { return o.name() == name; });
        if (!is_output && level.is_inlined() && !function.has_extern_definition())
            Func(function).compute_root();
    }
}

}  // namespace emulsion
