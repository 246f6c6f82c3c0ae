// PNG files as buffers (x, y) or (x, y, channel).
#pragma once
#include "dsl/halide.h"

#include <string>

namespace emulsion::command {

/// u8 or u16, dense, (x, y, channel). Raises EM603, EM630, EM631 for an absent or broken file.
Halide::Buffer<> read_picture(const std::string &path);

/// The same pixels with 2 dimensions (grey: the weighted sum of red, green and blue, Rec. 601) or 3.
Halide::Buffer<> picture_as(const Halide::Buffer<> &picture, int dimensions);

/// (x, y) as grey, (x, y, 3) as RGB, (x, y, 4) as RGBA; u8 or u16. Raises EM607, EM632.
void write_picture(const std::string &path, const Halide::Buffer<> &buffer);

}  // namespace emulsion::command
