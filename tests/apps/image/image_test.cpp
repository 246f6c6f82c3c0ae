// Layouts, bit depths and channels of Image.
#include "apps/image/image.h"

#include <gtest/gtest.h>

namespace emulsion::image {
namespace {

Image numbered(int channels, int bits, Layout layout) {
    Image image(5, 3, channels, bits, layout);
    for (int c = 0; c < channels; c++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 5; x++) image.set(x, y, c, (x + 5 * y + 15 * c) * (bits == 16 ? 771 : 3));
    return image;
}

TEST(Image, PlanesAreDenseAndInOrder) {
    const Image image = numbered(3, 8, Layout::planar);
    EXPECT_EQ(image.plane(2) - image.plane(0), 30);
    EXPECT_EQ(image.plane(1)[7], (7 + 15) * 3);
}

TEST(Image, LayoutsHoldTheSameSamples) {
    for (const int bits : {8, 16})
        for (int channels = 1; channels <= 4; channels++) {
            const Image planar = numbered(channels, bits, Layout::planar);
            EXPECT_EQ(with_layout(planar, Layout::interleaved), numbered(channels, bits, Layout::interleaved));
            EXPECT_EQ(with_layout(with_layout(planar, Layout::interleaved), Layout::planar), planar);
        }
}

TEST(Image, WithoutAlphaKeepsTheColours) {
    EXPECT_EQ(without_alpha(numbered(2, 8, Layout::planar)), numbered(1, 8, Layout::planar));
    EXPECT_EQ(without_alpha(numbered(4, 16, Layout::interleaved)), numbered(3, 16, Layout::interleaved));
    EXPECT_EQ(without_alpha(numbered(3, 8, Layout::planar)), numbered(3, 8, Layout::planar));
}

TEST(Image, SixteenBitsRoundToNearest) {
    Image wide(4, 1, 1, 16);
    const int values[] = {0, 128, 129, 65535}, rounded[] = {0, 0, 1, 255};  // one step is 257: a half is 128.5
    for (int x = 0; x < 4; x++) wide.set(x, 0, 0, values[x]);
    const Image narrow = to_8_bits(wide);
    for (int x = 0; x < 4; x++) EXPECT_EQ(narrow.get(x, 0, 0), rounded[x]) << x;
}

}  // namespace
}  // namespace emulsion::image
