// The drawn scene and the contact sheet.
#include "apps/image/png.h"
#include "apps/vision/contact_sheet.h"
#include "apps/vision/draw.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace emulsion::vision {
namespace {

using image::Image;

// Pixels, not bytes: another zlib packs the same picture differently.
TEST(Scene, CommittedPictureIsWhatIsDrawn) { EXPECT_EQ(image::read_png(SCENE), draw_scene()); }

TEST(Scene, CommittedPictureStaysSmall) { EXPECT_LT(std::filesystem::file_size(SCENE), 300'000u); }

TEST(ContactSheet, HalvesWithRoundedMeansInReadingOrder) {
    Image colour(4, 2, 3), grey(4, 2, 1);
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++) colour.set(x, y, 1, x + 2 * y);  // mean 1.5
    grey.set(2, 0, 0, 255);
    const Image sheet = contact_sheet({colour, grey, grey});
    ASSERT_EQ(std::tuple(sheet.width, sheet.height, sheet.channels), std::tuple(4, 2, 3));
    EXPECT_EQ(sheet.get(0, 0, 1), 2);
    EXPECT_EQ(sheet.get(0, 0, 0), 0);
    for (int c = 0; c < 3; c++) EXPECT_EQ(sheet.get(3, 0, c), 64) << c;  // 63.75
    EXPECT_EQ(sheet.get(1, 1, 0), 64);
    EXPECT_EQ(sheet.get(3, 1, 2), 0);
}

TEST(ContactSheet, PictureOfOnePixelHasACell) {
    Image dot(1, 1, 1);
    dot.set(0, 0, 0, 9);
    EXPECT_EQ(contact_sheet({dot}).get(0, 0, 2), 9);
}

}  // namespace
}  // namespace emulsion::vision
