#include "apps/image/png.h"

#include "apps/image/atomic_file.h"
#include "runtime/diag/diag.h"

#include <bit>
#include <csetjmp>
#include <cstdio>
#include <fmt/format.h>
#include <new>
#include <png.h>

namespace emulsion::image {

namespace {

// As in png_reader.cpp: nothing with a destructor lives where libpng may longjmp over it.
struct Sink {
    std::vector<uint8_t> bytes;
    char message[160] = "";
};

void append(png_structp png, png_bytep from, size_t count) {
    auto *sink = static_cast<Sink *>(png_get_io_ptr(png));
    bool full = false;
    try {
        sink->bytes.insert(sink->bytes.end(), from, from + count);
    } catch (const std::bad_alloc &) {
        full = true;
    }
    if (full) png_error(png, "out of memory");
}

void keep_message(png_structp png, png_const_charp message) {
    auto *sink = static_cast<Sink *>(png_get_error_ptr(png));
    std::snprintf(sink->message, sizeof sink->message, "%s", message);
    png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

struct Writer {
    png_structp png;
    png_infop info = nullptr;
    explicit Writer(Sink &sink) : png(png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, keep_message, ignore_warning)) {
        if (!png) throw std::bad_alloc();
        info = png_create_info_struct(png);
        png_set_write_fn(png, &sink, append, [](png_structp) {});
    }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;
    ~Writer() { png_destroy_write_struct(&png, &info); }
};

constexpr int colour_types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};

bool write_pixels(const Writer &w, const Image &image, png_bytepp rows) {
    if (setjmp(png_jmpbuf(w.png))) return false;
    png_set_IHDR(w.png, w.info, image.width, image.height, image.bits, colour_types[image.channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(w.png, 9);
    png_write_info(w.png, w.info);
    if constexpr (std::endian::native == std::endian::little)
        if (image.bits == 16) png_set_swap(w.png);
    png_write_image(w.png, rows);
    png_write_end(w.png, nullptr);
    return true;
}

bool is_picture(const Image &i) {
    return i.width > 0 && i.height > 0 && i.channels >= 1 && i.channels <= 4 && (i.bits == 8 || i.bits == 16) &&
           i.bytes.size() == i.samples() * i.sample_bytes();
}

}  // namespace

std::vector<uint8_t> encode_png(const Image &image, const std::string &name) {
    if (!is_picture(image))
        raise(Diag::picture_form, {}, name, fmt::format("{} x {}, {} channels of {} bits, {} B", image.width, image.height,
                                                        image.channels, image.bits, image.bytes.size()));
    Image pixels = with_layout(image, Layout::interleaved);
    std::vector<png_bytep> rows(pixels.height);
    const size_t row_bytes = pixels.sample_bytes() * pixels.channels * pixels.width;
    for (size_t y = 0; y < rows.size(); y++) rows[y] = pixels.bytes.data() + y * row_bytes;
    Sink sink;
    const Writer writer(sink);
    if (!write_pixels(writer, pixels, rows.data())) raise(Diag::picture_unwritable, {}, name, std::string(sink.message));
    return std::move(sink.bytes);
}

void write_png(const std::string &path, const Image &image) { write_atomically(path, encode_png(image, path)); }

}  // namespace emulsion::image
