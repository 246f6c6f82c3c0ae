// A picture with what filters are judged by: gradients, edges, fine detail, noise.
#pragma once
#include "apps/image/image.h"

namespace emulsion::vision {

/// 640 x 480 RGB, 8 bits, planar. Integers only: the same bytes on every machine.
image::Image draw_scene();

}  // namespace emulsion::vision
