// PNG files built chunk by chunk with zlib alone: the forms that our writer never writes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace emulsion {

struct RawPng {
    uint32_t width = 1, height = 1;
    uint8_t depth = 8, colour = 0, interlace = 0;
    std::vector<uint8_t> palette = {}, transparency = {};
    std::vector<uint8_t> scanlines = {};  ///< each with its filter byte, as deflate gets them
};

std::vector<uint8_t> build(const RawPng &png);

}  // namespace emulsion
