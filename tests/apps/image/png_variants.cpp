#include "tests/apps/image/png_variants.h"

#include <png.h>
#include <random>

namespace emulsion::image {

namespace {

void append(png_structp png, png_bytep from, size_t count) {
    auto *file = static_cast<std::vector<uint8_t> *>(png_get_io_ptr(png));
    file->insert(file->end(), from, from + count);
}

std::vector<uint8_t> pack_row(const uint16_t *samples, size_t count, int bits) {
    std::vector<uint8_t> row((count * bits + 7) / 8);
    for (size_t k = 0; k < count; k++) {
        if (bits == 16) {
            row[2 * k] = static_cast<uint8_t>(samples[k] >> 8);
            row[2 * k + 1] = static_cast<uint8_t>(samples[k]);
        } else {
            row[k * bits / 8] |= static_cast<uint8_t>(samples[k] << (8 - bits - k * bits % 8));
        }
    }
    return row;
}

void set_colours(png_structp png, png_infop info, const Variant &v) {
    std::vector<png_color> palette;
    for (size_t k = 0; k < v.palette.size(); k += 3) palette.push_back({v.palette[k], v.palette[k + 1], v.palette[k + 2]});
    if (!palette.empty()) png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    if (!v.palette_alpha.empty())
        png_set_tRNS(png, info, v.palette_alpha.data(), static_cast<int>(v.palette_alpha.size()), nullptr);
    if (v.transparent_grey >= 0) {
        png_color_16 colour{};
        colour.gray = static_cast<png_uint_16>(v.transparent_grey);
        png_set_tRNS(png, info, nullptr, 0, &colour);
    }
}

}  // namespace

std::vector<uint8_t> encode_variant(const Variant &v, const std::vector<uint16_t> &samples) {
    std::vector<uint8_t> file;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &file, append, [](png_structp) {});
    png_set_IHDR(png, info, v.width, v.height, v.bits, v.colour_type, v.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_colours(png, info, v);
    png_write_info(png, info);
    const size_t per_row = samples.size() / v.height;
    std::vector<std::vector<uint8_t>> rows;
    std::vector<png_bytep> pointers;
    for (int y = 0; y < v.height; y++) rows.push_back(pack_row(samples.data() + y * per_row, per_row, v.bits));
    for (auto &row : rows) pointers.push_back(row.data());
    png_write_image(png, pointers.data());
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return file;
}

std::vector<uint8_t> random_bytes(size_t count, uint32_t seed) {
    std::mt19937 engine(seed);
    std::vector<uint8_t> bytes(count);
    for (uint8_t &b : bytes) b = static_cast<uint8_t>(engine());
    return bytes;
}

}  // namespace emulsion::image
