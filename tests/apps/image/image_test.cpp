// Catches: swapped layouts, lost alpha, wrong rounding of 16 bits.
#include "apps/image/image.h"

#include <gtest/gtest.h>

namespace emulsion::image {
namespace {

Image numbered(Layout layout, int bits) {
    Image i(3, 2, 4, bits, layout);
    for (int c = 0; c < 4; c++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 3; x++) i.set(x, y, c, (bits == 8 ? 1 : 257) * (100 * y + 10 * x + c));
    return i;
}

TEST(Image, PlanarKeepsXInnermostAndInterleavedChannels) {
    const Image planar = numbered(Layout::planar, 8), interleaved = numbered(Layout::interleaved, 8);
    EXPECT_EQ(planar.bytes[1], 10);
    EXPECT_EQ(planar.plane(2)[0], 2);
    EXPECT_EQ(interleaved.bytes[1], 1);
}

TEST(Image, LayoutsConvertBothWays) {
    for (int bits : {8, 16}) {
        EXPECT_EQ(with_layout(numbered(Layout::planar, bits), Layout::interleaved), numbered(Layout::interleaved, bits));
        EXPECT_EQ(with_layout(numbered(Layout::interleaved, bits), Layout::planar), numbered(Layout::planar, bits));
    }
}

TEST(Image, WithoutAlphaDropsOnlyAlpha) {
    const Image rgb = without_alpha(numbered(Layout::planar, 8));
    EXPECT_EQ(rgb.channels, 3);
    EXPECT_EQ(rgb.get(2, 1, 2), 122);
    EXPECT_EQ(without_alpha(rgb), rgb);
    EXPECT_EQ(without_alpha(Image(2, 2, 2)).channels, 1);
}

TEST(Image, SixteenBitsRoundToNearest) {
    EXPECT_EQ(to_8_bits(numbered(Layout::planar, 16)), numbered(Layout::planar, 8));
    Image i(2, 1, 1, 16);
    i.set(0, 0, 0, 128);  // 0.498 levels
    i.set(1, 0, 0, 129);
    EXPECT_EQ(to_8_bits(i).get(0, 0, 0), 0);
    EXPECT_EQ(to_8_bits(i).get(1, 0, 0), 1);
}

}  // namespace
}  // namespace emulsion::image
