// The parameters of a generator, as its stub header lists them.
#pragma once
#include <string>
#include <vector>

namespace emulsion::command {

struct GeneratorParameter {
    std::string name, type, value;  ///< value: the default, in C++
};

/// In the order of declaration; `machine` and Halide's own (target, autoscheduler) are left out. Raises EM211.
std::vector<GeneratorParameter> generator_parameters(const std::string &generator);

}  // namespace emulsion::command
