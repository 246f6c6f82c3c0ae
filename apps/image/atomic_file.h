// Files that appear whole or not at all.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace emulsion::image {

/// Writes a temporary file in the folder of `path` and renames it to `path`. On failure nothing is left behind and an older
/// file at `path` is untouched. Raises EM632 with the system's reason.
void write_atomically(const std::string &path, std::span<const uint8_t> bytes);

}  // namespace emulsion::image
