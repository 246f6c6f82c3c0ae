// NumPy files: arrays of integers and floats with their shape. Format: NumPy's documentation of numpy.lib.format, version 1.0.
#pragma once
#include "dsl/halide.h"

#include <span>
#include <string>
#include <vector>

namespace emulsion::command {

/// Axis order is reversed, so that a C-ordered array is dense with dimension 0 innermost. Raises EM606 for a broken or
/// unsupported file.
Halide::Buffer<> read_npy(const std::string &path);
/// The same from memory; `name` is for messages.
Halide::Buffer<> parse_npy(const std::string &name, std::span<const uint8_t> bytes);

/// C order, little endian. Raises EM602.
void write_npy(const std::string &path, const Halide::Buffer<> &buffer);

}  // namespace emulsion::command
