// PNG files that are right: every kind comes back sample for sample.
#include "apps/image/png.h"

#include "runtime/diag/diag.h"
#include "tests/apps/image/png_variants.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <png.h>

namespace emulsion::image {
namespace {

namespace fs = std::filesystem;

Image random_image(int width, int height, int channels, int bits, Layout layout) {
    Image image(width, height, channels, bits, layout);
    image.bytes = random_bytes(image.bytes.size(), width * 31 + channels);
    return image;
}

std::vector<uint16_t> random_samples(size_t count, int bits) {
    const std::vector<uint8_t> bytes = random_bytes(2 * count, bits);
    std::vector<uint16_t> samples(count);
    for (size_t k = 0; k < count; k++) samples[k] = (bytes[2 * k] << 8 | bytes[2 * k + 1]) & ((1 << bits) - 1);
    return samples;
}

fs::path fresh_folder() {
    const auto *test = testing::UnitTest::GetInstance()->current_test_info();
    const fs::path folder = fs::path(testing::TempDir()) / (std::string("emulsion_png_") + test->name());
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

TEST(Png, EveryFormComesBack) {
    const std::pair<int, int> sizes[] = {{1, 1}, {1, 7}, {17, 13}, {301, 19}};
    for (const auto &[width, height] : sizes)
        for (int channels = 1; channels <= 4; channels++)
            for (const int bits : {8, 16})
                for (const Layout layout : {Layout::planar, Layout::interleaved}) {
                    const Image image = random_image(width, height, channels, bits, layout);
                    EXPECT_EQ(decode_png(encode_png(image, "memory"), "memory", layout), image)
                        << width << " x " << height << ", " << channels << " channels, " << bits << " bits";
                }
}

TEST(Png, InterlacedFilesGiveTheSamePicture) {
    for (const int bits : {8, 16})
        for (const auto &[type, channels] : {std::pair{PNG_COLOR_TYPE_GRAY, 1}, {PNG_COLOR_TYPE_RGB, 3}, {PNG_COLOR_TYPE_RGB_ALPHA, 4}}) {
            const std::vector<uint16_t> samples = random_samples(13 * 11 * channels, bits);
            Variant v{.width = 13, .height = 11, .colour_type = type, .bits = bits};
            const Image plain = decode_png(encode_variant(v, samples), "plain", Layout::interleaved);
            v.interlaced = true;
            EXPECT_EQ(decode_png(encode_variant(v, samples), "interlaced", Layout::interleaved), plain);
            for (size_t k = 0; k < samples.size(); k++)
                ASSERT_EQ(plain.get(k / channels % 13, k / channels / 13, k % channels), samples[k]) << k;
        }
}

TEST(Png, PalettesBecomeColours) {
    for (const int bits : {1, 2, 4, 8}) {
        const std::vector<uint8_t> palette = random_bytes(3u << bits, 7);
        const std::vector<uint16_t> samples = random_samples(9 * 5, bits);
        const Variant v{.width = 9, .height = 5, .colour_type = PNG_COLOR_TYPE_PALETTE, .bits = bits, .palette = palette};
        const Image image = decode_png(encode_variant(v, samples), "palette");
        ASSERT_EQ(image.channels, 3);
        for (int k = 0; k < 45; k++)
            for (int c = 0; c < 3; c++) ASSERT_EQ(image.get(k % 9, k / 9, c), palette[samples[k] * 3 + c]) << bits << " bits, pixel " << k;
    }
}

TEST(Png, TransparentPaletteEntriesBecomeAlpha) {
    const Variant v{.width = 3, .colour_type = PNG_COLOR_TYPE_PALETTE, .bits = 2, .palette = {1, 2, 3, 4, 5, 6, 7, 8, 9}, .palette_alpha = {0, 77}};
    const Image image = decode_png(encode_variant(v, {0, 1, 2}), "palette");
    ASSERT_EQ(image.channels, 4);
    EXPECT_EQ(image.get(0, 0, 3), 0);
    EXPECT_EQ(image.get(1, 0, 3), 77);
    EXPECT_EQ(image.get(2, 0, 3), 255);
}

TEST(Png, FewBitsOfGreyAreScaled) {
    for (const int bits : {1, 2, 4}) {
        const int most = (1 << bits) - 1;
        const Variant v{.width = most + 1, .colour_type = PNG_COLOR_TYPE_GRAY, .bits = bits};
        std::vector<uint16_t> samples;
        for (int k = 0; k <= most; k++) samples.push_back(static_cast<uint16_t>(k));
        const Image image = decode_png(encode_variant(v, samples), "grey");
        EXPECT_EQ(image.bits, 8);
        for (int k = 0; k <= most; k++) EXPECT_EQ(image.get(k, 0, 0), k * 255 / most) << bits;
    }
}

TEST(Png, TransparentGreyBecomesAlpha) {
    const Variant v{.width = 2, .colour_type = PNG_COLOR_TYPE_GRAY, .transparent_grey = 9};
    const Image image = decode_png(encode_variant(v, {9, 10}), "grey");
    ASSERT_EQ(image.channels, 2);
    EXPECT_EQ(image.get(0, 0, 1), 0);
    EXPECT_EQ(image.get(1, 0, 1), 255);
}

TEST(Png, FilesAreReplacedWhole) {
    const fs::path folder = fresh_folder(), path = folder / "a.png";
    std::ofstream(path) << "older";
    const Image image = random_image(17, 13, 3, 8, Layout::planar);
    write_png(path, image);
    EXPECT_EQ(read_png(path), image);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "a temporary file is left";
}

TEST(Png, SamePictureSameBytes) {
    const Image image = random_image(17, 13, 3, 8, Layout::planar);
    EXPECT_EQ(encode_png(image, "a"), encode_png(with_layout(image, Layout::interleaved), "b"));
}

// A folder stands where the file should go: renaming fails after everything is written.
TEST(Png, UnwritableLeavesNothingBehind) {
    const fs::path folder = fresh_folder(), path = folder / "taken";
    fs::create_directory(path);
    try {
        write_png(path, Image(2, 2, 1));
        FAIL() << "wrote over a folder";
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().code(), "EM632");
        EXPECT_NE(e.diagnostic().message.find(path.string()), std::string::npos);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace emulsion::image
