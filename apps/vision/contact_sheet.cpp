#include "apps/vision/contact_sheet.h"

#include <algorithm>

namespace emulsion::vision {

using image::Image;

namespace {

int mean_of_4(const Image &picture, int x, int y, int c) {
    const int channel = picture.channels == 1 ? 0 : c;
    int sum = 2;
    for (int k = 0; k < 4; k++)
        sum += picture.get(std::min(2 * x + k % 2, picture.width - 1), std::min(2 * y + k / 2, picture.height - 1), channel);
    return sum / 4;
}

}  // namespace

Image contact_sheet(const std::vector<Image> &pictures) {
    constexpr int columns = 2;
    const int count = static_cast<int>(pictures.size());
    const int width = std::max(1, pictures[0].width / 2), height = std::max(1, pictures[0].height / 2);
    Image sheet(columns * width, (count + columns - 1) / columns * height, 3);
    for (int n = 0; n < count; n++)
        for (int c = 0; c < 3; c++)
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++)
                    sheet.set(n % columns * width + x, n / columns * height + y, c, mean_of_4(pictures[n], x, y, c));
    return sheet;
}

}  // namespace emulsion::vision
