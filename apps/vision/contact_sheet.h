// Pictures side by side, for a look at all results at once.
#pragma once
#include "apps/image/image.h"

#include <vector>

namespace emulsion::vision {

/// Two columns of pictures at half size (means of 2 x 2 pixels, rounded), grey ones as RGB. `pictures`: 8 bits, planar, 1 or 3
/// channels, all of one size. The size of the sheet's cells is at least 1 pixel.
image::Image contact_sheet(const std::vector<image::Image> &pictures);

}  // namespace emulsion::vision
