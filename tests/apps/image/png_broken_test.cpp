// PNG files that are wrong: a coded error that names the file and the reason, whatever is wrong; never a crash or a picture.
#include "apps/image/png.h"

#include "runtime/diag/diag.h"
#include "tests/apps/image/png_variants.h"

#include <functional>
#include <gtest/gtest.h>
#include <png.h>

namespace emulsion::image {
namespace {

Diagnostic failure(const std::function<void()> &action) {
    try {
        action();
    } catch (const Error &e) {
        return e.diagnostic();
    }
    return {};
}

Diagnostic failure_of(const std::vector<uint8_t> &file, const PngLimits &limits = {}) {
    return failure([&] { decode_png(file, "sample.png", Layout::planar, limits); });
}

void expect_broken(const std::vector<uint8_t> &file, const std::string &what) {
    const Diagnostic d = failure_of(file);
    ASSERT_TRUE(d.id == Diag::picture_broken || d.id == Diag::picture_too_large) << what << ": " << d.text();
    EXPECT_NE(d.message.find("\"sample.png\""), std::string::npos) << what;
    EXPECT_GT(d.message.size(), std::string("\"sample.png\" is not a usable PNG file: ").size()) << what << ": no reason";
}

/// One of each shape of file: plain, interlaced, palette.
std::vector<std::vector<uint8_t>> samples() {
    Image image(31, 23, 3);
    image.bytes = random_bytes(image.bytes.size(), 3);
    const std::vector<uint16_t> grey(20 * 20, 40000), indices(15 * 4, 1);
    return {encode_png(image, "plain"),
            encode_variant({.width = 20, .height = 20, .colour_type = PNG_COLOR_TYPE_GRAY, .bits = 16, .interlaced = true}, grey),
            encode_variant({.width = 15, .height = 4, .colour_type = PNG_COLOR_TYPE_PALETTE, .bits = 2, .palette = {1, 2, 3, 4, 5, 6}, .palette_alpha = {9}},
                           indices)};
}

TEST(BrokenPng, CutAtEveryHundredth) {
    for (const auto &file : samples())
        for (size_t part = 0; part < 100; part++)
            expect_broken({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(file.size() * part / 100)}, std::to_string(part) + " %");
}

TEST(BrokenPng, CutByOneByte) {
    for (auto file : samples()) {
        file.pop_back();
        expect_broken(file, "last byte");
    }
}

TEST(BrokenPng, EveryByteFlipped) {
    for (const auto &file : samples())
        for (size_t at = 0; at < file.size(); at++)
            for (const uint8_t bits : {0x01, 0x20, 0x80, 0xff}) {
                auto flipped = file;
                flipped[at] ^= bits;
                expect_broken(flipped, "byte " + std::to_string(at));
            }
}

TEST(BrokenPng, NotAPng) {
    EXPECT_NE(failure_of({}).message.find("does not begin as a PNG"), std::string::npos);
    EXPECT_NE(failure_of({'G', 'I', 'F', '8', '9', 'a'}).message.find("does not begin as a PNG"), std::string::npos);
    for (uint32_t seed = 0; seed < 50; seed++) expect_broken(random_bytes(seed * 7, seed), "random");
}

TEST(BrokenPng, RandomBytesAfterASignature) {
    const auto good = samples()[0];
    for (uint32_t seed = 0; seed < 200; seed++) {
        auto file = random_bytes(200, seed);
        const size_t kept = seed % 2 ? 8 : 33;  // the signature, or the header too
        std::copy_n(good.begin(), kept, file.begin());
        expect_broken(file, "seed " + std::to_string(seed));
    }
}

TEST(BrokenPng, AbsentFile) { EXPECT_EQ(failure([] { read_png("/nowhere/a.png"); }).code(), "EM603"); }

TEST(PngLimits, DimensionAndMemory) {
    const auto file = encode_png(Image(40, 10, 3), "memory");
    const Diagnostic wide = failure_of(file, {.dimension = 39});
    EXPECT_EQ(wide.code(), "EM631");
    EXPECT_NE(wide.message.find("40 x 10 pixels"), std::string::npos) << wide.message;
    const Diagnostic big = failure_of(file, {.picture_bytes = 1199});
    EXPECT_EQ(big.code(), "EM631");
    EXPECT_NE(big.message.find("1200 B"), std::string::npos) << big.message;
    EXPECT_EQ(failure_of(file, {.dimension = 40, .picture_bytes = 1200}).message, "");
}

TEST(PngLimits, FileThatNeverEnds) { EXPECT_EQ(failure([] { read_png("/dev/zero", Layout::planar, {.file_bytes = 1 << 20}); }).code(), "EM631"); }

TEST(PngForm, NoPicture) {
    const auto code = [](const Image &image) { return failure([&] { encode_png(image, "a.png"); }).code(); };
    EXPECT_EQ(code(Image(0, 4, 1)), "EM633");
    EXPECT_EQ(code(Image(4, 4, 5)), "EM633");
    EXPECT_EQ(code(Image(4, 4, 1, 32)), "EM633");
    Image short_of_bytes(4, 4, 1);
    short_of_bytes.bytes.pop_back();
    EXPECT_EQ(code(short_of_bytes), "EM633");
}

}  // namespace
}  // namespace emulsion::image
