#include "apps/image/png.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <png.h>

namespace emulsion::image {

namespace {

// libpng leaves its functions by longjmp. Everything it may jump over is in read_header, read_pixels and the callbacks: none
// has an object with a destructor; what they fill is owned by their caller.
struct Source {
    std::span<const uint8_t> rest;
    char message[160] = "";
};

struct Header {
    png_uint_32 width = 0, height = 0;
    int channels = 0, bits = 0;
    size_t row_bytes = 0;
};

void take_bytes(png_structp png, png_bytep to, size_t count) {
    auto *source = static_cast<Source *>(png_get_io_ptr(png));
    if (count > source->rest.size()) png_error(png, "the file ends early");
    std::memcpy(to, source->rest.data(), count);
    source->rest = source->rest.subspan(count);
}

void keep_message(png_structp png, png_const_charp message) {
    auto *source = static_cast<Source *>(png_get_error_ptr(png));
    std::snprintf(source->message, sizeof source->message, "%s", message);
    png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

struct Reader {
    png_structp png;
    png_infop info = nullptr;
    explicit Reader(Source &source) : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, keep_message, ignore_warning)) {
        if (!png) throw std::bad_alloc();
        info = png_create_info_struct(png);
        png_set_read_fn(png, &source, take_bytes);
    }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void be_strict(png_structp png, const PngLimits &limits) {
    png_set_user_limits(png, limits.dimension, limits.dimension);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);
    // -1: every ancillary chunk but transparency; their checksums still count.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
}

bool read_header(const Reader &r, const PngLimits &limits, Header &header) {
    if (setjmp(png_jmpbuf(r.png))) return false;
    be_strict(r.png, limits);
    png_read_info(r.png, r.info);
    png_set_expand(r.png);  // palette to RGB, few bits to 8, transparent colour to alpha
    if constexpr (std::endian::native == std::endian::little) png_set_swap(r.png);
    png_set_interlace_handling(r.png);
    png_read_update_info(r.png, r.info);
    header.width = png_get_image_width(r.png, r.info);
    header.height = png_get_image_height(r.png, r.info);
    header.channels = png_get_channels(r.png, r.info);
    header.bits = png_get_bit_depth(r.png, r.info);
    header.row_bytes = png_get_rowbytes(r.png, r.info);
    return true;
}

bool read_pixels(const Reader &r, png_bytepp rows) {
    if (setjmp(png_jmpbuf(r.png))) return false;
    png_read_image(r.png, rows);
    png_read_end(r.png, nullptr);
    return true;
}

bool is_png(std::span<const uint8_t> file) { return file.size() >= 8 && png_sig_cmp(file.data(), 0, 8) == 0; }

// Width and height stand at fixed places of every PNG file, so that too large a picture is told from a broken one.
uint32_t big_endian(std::span<const uint8_t> file, size_t at) {
    return uint32_t{file[at]} << 24 | uint32_t{file[at + 1]} << 16 | uint32_t{file[at + 2]} << 8 | file[at + 3];
}

void check_dimensions(std::span<const uint8_t> file, const std::string &name, const PngLimits &limits) {
    if (!is_png(file)) raise(Diag::picture_broken, {}, name, "it does not begin as a PNG file");
    if (file.size() < 24) raise(Diag::picture_broken, {}, name, "the file ends early");
    const uint32_t width = big_endian(file, 16), height = big_endian(file, 20);
    if (std::max(width, height) > limits.dimension)
        raise(Diag::picture_too_large, {}, name, fmt::format("it says {} x {} pixels", width, height),
              fmt::format("{} pixels along a side", limits.dimension));
}

void check_size(const Header &h, size_t file_bytes, const std::string &name, const PngLimits &limits) {
    const uint64_t bytes = uint64_t{h.row_bytes} * h.height;
    if (bytes > limits.picture_bytes)
        raise(Diag::picture_too_large, {}, name, fmt::format("its samples take {} B", bytes), fmt::format("{} B", limits.picture_bytes));
    // Deflate packs at most 1032 bytes into one; expansion of 1-bit palettes to RGBA adds a factor of 32.
    if (bytes / (1032 * 32) > file_bytes) raise(Diag::picture_broken, {}, name, "it is too short for its dimensions");
}

std::vector<uint8_t> read_bytes(const std::string &path, const PngLimits &limits) {
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) raise(Diag::file_unreadable, {}, path);
    std::vector<uint8_t> bytes;
    uint8_t block[65536];
    while (const size_t n = std::fread(block, 1, sizeof block, file.get())) {
        bytes.insert(bytes.end(), block, block + n);
        if (bytes.size() > limits.file_bytes)
            raise(Diag::picture_too_large, {}, path, "the file goes on", fmt::format("{} B", limits.file_bytes));
    }
    if (std::ferror(file.get())) raise(Diag::picture_broken, {}, path, std::string(std::strerror(errno)));
    return bytes;
}

}  // namespace

Image decode_png(std::span<const uint8_t> file, const std::string &name, Layout layout, const PngLimits &limits) {
    check_dimensions(file, name, limits);
    Source source{.rest = file};
    const Reader reader(source);
    Header h;
    if (!read_header(reader, limits, h)) raise(Diag::picture_broken, {}, name, std::string(source.message));
    check_size(h, file.size(), name, limits);
    Image image(static_cast<int>(h.width), static_cast<int>(h.height), h.channels, h.bits, Layout::interleaved);
    std::vector<png_bytep> rows(h.height);
    for (size_t y = 0; y < rows.size(); y++) rows[y] = image.bytes.data() + y * h.row_bytes;
    if (!read_pixels(reader, rows.data())) raise(Diag::picture_broken, {}, name, std::string(source.message));
    return with_layout(image, layout);
}

Image read_png(const std::string &path, Layout layout, const PngLimits &limits) {
    return decode_png(read_bytes(path, limits), path, layout, limits);
}

}  // namespace emulsion::image
