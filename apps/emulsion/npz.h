// NumPy archives: a zip file of .npy arrays by name.
#pragma once
#include "dsl/halide.h"

#include <map>
#include <string>

namespace emulsion::command {

/// All arrays by name (without ".npy"). Raises EM603 for an unreadable file, EM606 for a broken one.
std::map<std::string, Halide::Buffer<>> read_npz(const std::string &path);

}  // namespace emulsion::command
