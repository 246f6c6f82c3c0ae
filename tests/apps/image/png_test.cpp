// Catches: pixels that change on their way through a file, and broken files that crash, hang or give a wrong picture.
#include "apps/image/png.h"

#include "runtime/diag/diag.h"
#include "tests/apps/image/raw_png.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <random>

namespace emulsion::image {
namespace {

Image noise(int width, int height, int channels, int bits, Layout layout = Layout::planar) {
    std::mt19937 random(width * 7 + channels);
    Image i(width, height, channels, bits, layout);
    for (uint8_t &b : i.bytes) b = static_cast<uint8_t>(random());
    return i;
}

/// The code that decoding raises, "" when a picture comes out.
std::string code_of(std::span<const uint8_t> file, const PngLimits &limits = {}) {
    try {
        (void)decode_png(file, "some.png", Layout::planar, limits);
    } catch (const Error &e) {
        EXPECT_NE(std::string(e.what()).find("some.png"), std::string::npos) << e.what();
        return e.diagnostic().code();
    }
    return "";
}

TEST(Png, EveryFormComesBack) {
    for (int channels = 1; channels <= 4; channels++)
        for (int bits : {8, 16})
            for (Layout layout : {Layout::planar, Layout::interleaved}) {
                const Image i = noise(37, 11, channels, bits, layout);
                EXPECT_EQ(decode_png(encode_png(i, "a"), "a", layout), i) << channels << " channels, " << bits << " bits";
            }
}

TEST(Png, GoesThroughAFile) {
    const std::string path = testing::TempDir() + "/png_test_" + std::to_string(::getpid()) + ".png";
    const Image i = noise(5, 4, 3, 8);
    write_png(path, i);
    EXPECT_EQ(read_png(path), i);
    std::filesystem::remove(path);
}

TEST(Png, SamePictureSameBytes) { EXPECT_EQ(encode_png(noise(40, 40, 3, 8), "a"), encode_png(noise(40, 40, 3, 8), "b")); }

TEST(Png, PaletteIsExpanded) {
    const Image i = decode_png(build({.width = 3, .depth = 2, .colour = 3, .palette = {9, 8, 7, 10, 20, 30}, .scanlines = {0, 0b01000100}}), "a");
    ASSERT_EQ(i.channels, 3);
    EXPECT_EQ(i.get(0, 0, 1), 20);
    EXPECT_EQ(i.get(1, 0, 1), 8);
    EXPECT_EQ(i.get(2, 0, 2), 30);
}

TEST(Png, TransparencyOfAPaletteBecomesAlpha) {
    const Image i = decode_png(build({.width = 2, .depth = 8, .colour = 3, .palette = {9, 8, 7, 10, 20, 30}, .transparency = {40}, .scanlines = {0, 0, 1}}), "a");
    ASSERT_EQ(i.channels, 4);
    EXPECT_EQ(i.get(0, 0, 3), 40);
    EXPECT_EQ(i.get(1, 0, 3), 255);
}

TEST(Png, FewBitsOfGreyAreScaled) {
    const Image i = decode_png(build({.width = 2, .depth = 4, .colour = 0, .scanlines = {0, 0x3f}}), "a");
    EXPECT_EQ(i.get(0, 0, 0), 0x33);
    EXPECT_EQ(i.get(1, 0, 0), 255);
}

TEST(Png, SixteenBitsAreInHostOrder) {
    const Image i = decode_png(build({.depth = 16, .scanlines = {0, 0x12, 0x34}}), "a");
    EXPECT_EQ(i.get(0, 0, 0), 0x1234);
}

TEST(Png, InterlacedPixelsFindTheirPlace) {
    // Adam7 of 2 x 2: pass 1 has (0, 0), pass 6 has (1, 0), pass 7 has the second row.
    const Image i = decode_png(build({.width = 2, .height = 2, .interlace = 1, .scanlines = {0, 1, 0, 2, 0, 3, 4}}), "a");
    for (int k = 0; k < 4; k++) EXPECT_EQ(i.get(k % 2, k / 2, 0), k + 1);
}

TEST(BrokenPng, TruncatedAnywhere) {
    for (int bits : {8, 16}) {
        const std::vector<uint8_t> file = encode_png(noise(31, 17, 3, bits), "a");
        for (size_t n = 0; n < file.size(); n++) ASSERT_EQ(code_of(std::span(file).first(n)), "EM630") << n << " of " << file.size();
    }
}

TEST(BrokenPng, EveryFlippedByteIsSeen) {
    const std::vector<uint8_t> file = encode_png(noise(9, 7, 4, 8), "a");
    for (size_t n = 0; n < file.size(); n++)
        for (uint8_t flip : {0x01, 0x20, 0x80, 0xff}) {
            std::vector<uint8_t> bad = file;
            bad[n] ^= flip;
            const std::string code = code_of(bad);
            ASSERT_TRUE(code == "EM630" || code == "EM631") << "byte " << n << " ^ " << int{flip} << ": \"" << code << "\"";
        }
}

TEST(BrokenPng, RandomBytesBehindASignature) {
    std::mt19937 random(3);
    const std::vector<uint8_t> good = encode_png(noise(9, 7, 1, 8), "a");
    for (int k = 0; k < 2000; k++) {
        std::vector<uint8_t> bad(good.begin(), good.begin() + 8 + random() % 40);
        for (int n = random() % 200; n > 0; n--) bad.push_back(static_cast<uint8_t>(random()));
        ASSERT_NE(code_of(bad), "");
    }
}

TEST(BrokenPng, NoPngAtAll) {
    const std::string text = "GIF89a, not what it says on the tin";
    EXPECT_EQ(code_of({reinterpret_cast<const uint8_t *>(text.data()), text.size()}), "EM630");
    EXPECT_EQ(code_of({}), "EM630");
}

TEST(BrokenPng, PixelsMissingFromSoundChunks) {
    EXPECT_EQ(code_of(build({.width = 4, .height = 4, .scanlines = {0, 1, 2, 3, 4}})), "EM630");
    EXPECT_EQ(code_of(build({.width = 2, .depth = 8, .colour = 3, .palette = {}, .scanlines = {0, 0, 1}})), "EM630");
}

TEST(BrokenPng, LargeDimensionsAreRefusedBeforeMemoryIsTaken) {
    EXPECT_EQ(code_of(build({.width = 40000, .height = 1, .scanlines = {0}})), "EM631");
    EXPECT_EQ(code_of(build({.width = 0x7fffffff, .height = 0x7fffffff, .scanlines = {0}})), "EM631");
    EXPECT_EQ(code_of(build({.width = 32767, .height = 32767, .colour = 6, .scanlines = {0}})), "EM631");
    EXPECT_EQ(code_of(build({.width = 20000, .height = 20000, .scanlines = {0}})), "EM630");  // fits, but the file is a few bytes
    EXPECT_EQ(code_of(encode_png(noise(9, 9, 1, 8), "a"), {.picture_bytes = 80}), "EM631");
}

TEST(BrokenPng, AbsentFileIsCoded) {
    try {
        (void)read_png("/nowhere/at/all.png");
        FAIL();
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().code(), "EM603");
    }
}

TEST(WritingPng, RefusesWhatIsNoPicture) {
    Image wrong_size(4, 4, 1);
    wrong_size.bytes.pop_back();
    for (const Image &i : {Image(), Image(3, 3, 5), Image(2, 2, 1, 24), wrong_size}) {
        try {
            (void)encode_png(i, "out.png");
            FAIL();
        } catch (const Error &e) {
            EXPECT_EQ(e.diagnostic().code(), "EM633");
        }
    }
}

}  // namespace
}  // namespace emulsion::image
