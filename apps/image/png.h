// PNG files (ISO/IEC 15948), read and written with libpng.
#pragma once
#include "apps/image/image.h"

#include <span>
#include <string>

namespace emulsion::image {

/// What a reader refuses to go beyond.
struct PngLimits {
    uint32_t dimension = 32767;               ///< pixels along one side
    uint64_t picture_bytes = 512ull << 20;    ///< samples in memory
    uint64_t file_bytes = 512ull << 20;
};

/// Any PNG: grey of 1 to 16 bits, RGB, palette (expanded to RGB), with or without alpha or a transparent colour (expanded to
/// an alpha channel), interlaced or not. 1, 2 and 4 bit grey is scaled to 8 bits. Colour spaces and text are ignored.
/// A checksum that is wrong anywhere, and a file that ends early, are errors: never a picture that is partly right.
/// Raises EM603 (no such file), EM630 (broken, with libpng's reason), EM631 (beyond the limits).
Image read_png(const std::string &path, Layout layout = Layout::planar, const PngLimits &limits = {});

/// The same from memory; `name` stands for the path in messages.
Image decode_png(std::span<const uint8_t> file, const std::string &name, Layout layout = Layout::planar,
                 const PngLimits &limits = {});

/// The file's bytes; the same picture gives the same bytes. Raises EM633 when `image` is no picture: sides of at least 1,
/// 1 to 4 channels, 8 or 16 bits.
std::vector<uint8_t> encode_png(const Image &image, const std::string &name);

/// Writes beside `path` and renames, so that a reader sees the old file or the new one. Raises EM632, EM633.
void write_png(const std::string &path, const Image &image);

}  // namespace emulsion::image
