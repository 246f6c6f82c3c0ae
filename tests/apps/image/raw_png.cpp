#include "tests/apps/image/raw_png.h"

#include <zlib.h>

namespace emulsion {

namespace {

using Bytes = std::vector<uint8_t>;

void put(Bytes &out, uint32_t v) {
    for (int shift : {24, 16, 8, 0}) out.push_back(static_cast<uint8_t>(v >> shift));
}

void chunk(Bytes &out, const std::string &type, const Bytes &data) {
    put(out, static_cast<uint32_t>(data.size()));
    const size_t start = out.size();
    out.insert(out.end(), type.begin(), type.end());
    out.insert(out.end(), data.begin(), data.end());
    put(out, static_cast<uint32_t>(crc32(0, out.data() + start, static_cast<uInt>(out.size() - start))));
}

Bytes deflated(const Bytes &data) {
    uLongf size = compressBound(data.size());
    Bytes out(size);
    compress2(out.data(), &size, data.data(), data.size(), 9);
    out.resize(size);
    return out;
}

}  // namespace

Bytes build(const RawPng &png) {
    Bytes out{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, header;
    put(header, png.width);
    put(header, png.height);
    header.insert(header.end(), {png.depth, png.colour, 0, 0, png.interlace});
    chunk(out, "IHDR", header);
    if (!png.palette.empty()) chunk(out, "PLTE", png.palette);
    if (!png.transparency.empty()) chunk(out, "tRNS", png.transparency);
    chunk(out, "IDAT", deflated(png.scanlines));
    chunk(out, "IEND", {});
    return out;
}

}  // namespace emulsion
