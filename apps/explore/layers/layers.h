// Convolution layers of networks as data: apps/explore/layers/*.json.
#pragma once
#include "npu_backend/compile.h"

#include <string>
#include <vector>

namespace emulsion::explore {

struct Layer {
    std::string name;
    CompileRequest request;  ///< int8, requantised, no schedule
};

/// Names of the networks, sorted.
std::vector<std::string> networks();
/// Raises EM603 for an unknown network or file.
std::vector<Layer> layers_of(const std::string &network);

}  // namespace emulsion::explore
