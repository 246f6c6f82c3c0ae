#include "apps/emulsion/picture.h"

#include "runtime/diag/diag.h"

#include <cstring>
#include <png.h>

namespace emulsion::command {

namespace {

using Halide::Buffer;

/// libpng's simplified interface, freed whatever happens.
struct Png : png_image {
    Png() : png_image() { version = PNG_IMAGE_VERSION; }
    ~Png() { png_image_free(this); }
};

constexpr png_uint_32 formats[] = {0, PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};

/// Pixel-interleaved memory to or from planes.
template<typename Move>
void for_each_sample(Buffer<uint8_t> &planes, std::vector<uint8_t> &pixels, Move move) {
    auto at = pixels.begin();
    for (int y = 0; y < planes.height(); y++)
        for (int x = 0; x < planes.width(); x++)
            for (int c = 0; c < planes.channels(); c++) move(planes(x, y, c), *at++);
}

}  // namespace

Buffer<> read_picture(const std::string &path) {
    Png png;
    if (!png_image_begin_read_from_file(&png, path.c_str())) raise(Diag::tensor_file_broken, {}, path, std::string(png.message));
    if (png.format & PNG_FORMAT_FLAG_LINEAR) raise(Diag::tensor_file_broken, {}, path, "16-bit pictures are not read here");
    png.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
    std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(png));
    const int channels = static_cast<int>(PNG_IMAGE_SAMPLE_CHANNELS(png.format));
    Buffer<uint8_t> planes(static_cast<int>(png.width), static_cast<int>(png.height), channels);
    if (!png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr)) raise(Diag::tensor_file_broken, {}, path, std::string(png.message));
    for_each_sample(planes, pixels, [](uint8_t &plane, uint8_t pixel) { plane = pixel; });
    return planes;
}

Buffer<> picture_as(const Buffer<> &picture, int dimensions) {
    if (dimensions != 2) return picture;
    if (picture.channels() < 3) return picture.sliced(2, 0);
    const Buffer<uint8_t> rgb = picture;
    Buffer<uint8_t> grey(rgb.width(), rgb.height());
    // Rec. 601 weights in 16 bits; they add up to 65536.
    grey.for_each_element([&](int x, int y) {
        grey(x, y) = static_cast<uint8_t>((19595 * rgb(x, y, 0) + 38470 * rgb(x, y, 1) + 7471 * rgb(x, y, 2) + 32768) >> 16);
    });
    return grey;
}

void write_picture(const std::string &path, const Buffer<> &buffer) {
    const int channels = buffer.dimensions() == 2 ? 1 : buffer.dimensions() == 3 ? buffer.dim(2).extent() : 0;
    if (buffer.type() != Halide::UInt(8) || channels < 1 || channels > 4)
        raise(Diag::tensor_mismatch, {}, path, "a picture", "the output", "uint8 with extents x,y or x,y,1 to x,y,4");
    Buffer<uint8_t> planes = buffer.dimensions() == 2 ? Buffer<uint8_t>(buffer).embedded(2) : Buffer<uint8_t>(buffer);
    std::vector<uint8_t> pixels(planes.number_of_elements());
    for_each_sample(planes, pixels, [](uint8_t &plane, uint8_t &pixel) { pixel = plane; });
    Png png;
    png.width = planes.width();
    png.height = planes.height();
    png.format = formats[channels];
    if (!png_image_write_to_file(&png, path.c_str(), 0, pixels.data(), 0, nullptr)) raise(Diag::file_unwritable, {}, path);
}

}  // namespace emulsion::command
