// PNG files that encode_png does not make: palettes, few bits, interlacing, transparent colours.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulsion::image {

struct Variant {
    int width = 1, height = 1;
    int colour_type = 0;  ///< PNG_COLOR_TYPE_*
    int bits = 8;
    bool interlaced = false;
    std::vector<uint8_t> palette{};      ///< R G B of each entry
    std::vector<uint8_t> palette_alpha{};
    int transparent_grey = -1;
};

/// `samples`: one value each in reading order, packed here to `bits`; 16 bits big-endian in the file.
std::vector<uint8_t> encode_variant(const Variant &variant, const std::vector<uint16_t> &samples);

/// Deterministic bytes.
std::vector<uint8_t> random_bytes(size_t count, uint32_t seed);

}  // namespace emulsion::image
