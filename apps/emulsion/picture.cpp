#include "apps/emulsion/picture.h"

#include "apps/image/png.h"
#include "runtime/diag/diag.h"

#include <cstring>
#include <sstream>

namespace emulsion::command {

using Halide::Buffer;
using image::Image;

namespace {

template<typename T>
Buffer<> grey(const Buffer<T> &rgb) {
    Buffer<T> result(rgb.width(), rgb.height());
    // Rec. 601 weights in 16 bits; they add up to 65536.
    result.for_each_element([&](int x, int y) {
        const uint64_t sum = uint64_t{19595} * rgb(x, y, 0) + uint64_t{38470} * rgb(x, y, 1) + uint64_t{7471} * rgb(x, y, 2);
        result(x, y) = static_cast<T>((sum + 32768) >> 16);
    });
    return result;
}

[[noreturn]] void refuse(const std::string &path, const Buffer<> &buffer) {
    std::ostringstream have;
    have << buffer.type() << ", " << buffer.dimensions() << " dimensions";
    raise(Diag::tensor_mismatch, {}, path, "a picture", "an output of " + have.str(), "uint8 or uint16, (x, y) or (x, y, 1 to 4 channels)");
}

}  // namespace

Buffer<> read_picture(const std::string &path) {
    const Image picture = image::read_png(path);
    Buffer<> buffer(Halide::UInt(picture.bits), {picture.width, picture.height, picture.channels});
    std::memcpy(buffer.data(), picture.bytes.data(), picture.bytes.size());
    return buffer;
}

Buffer<> picture_as(const Buffer<> &picture, int dimensions) {
    if (dimensions != 2) return picture;
    if (picture.channels() < 3) return picture.sliced(2, 0);
    return picture.type().bits() == 8 ? grey<uint8_t>(picture) : grey<uint16_t>(picture);
}

void write_picture(const std::string &path, const Buffer<> &buffer) {
    const int channels = buffer.dimensions() == 2 ? 1 : buffer.dimensions() == 3 ? buffer.dim(2).extent() : 0;
    const bool samples = buffer.type() == Halide::UInt(8) || buffer.type() == Halide::UInt(16);
    if (!samples || channels < 1 || channels > 4) refuse(path, buffer);
    Image picture(buffer.width(), buffer.height(), channels, buffer.type().bits());
    // Outputs of the command are dense and start at 0: planes lie as in Image.
    std::memcpy(picture.bytes.data(), buffer.data(), picture.bytes.size());
    image::write_png(path, picture);
}

}  // namespace emulsion::command
