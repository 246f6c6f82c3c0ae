#include "apps/image/image.h"

#include <cstring>

namespace emulsion::image {

namespace {

template<typename F>
void for_each_sample(const Image &image, F f) {
    for (int c = 0; c < image.channels; c++)
        for (int y = 0; y < image.height; y++)
            for (int x = 0; x < image.width; x++) f(x, y, c);
}

Image copy_channels(const Image &from, int channels, Layout layout) {
    Image to(from.width, from.height, channels, from.bits, layout);
    for_each_sample(to, [&](int x, int y, int c) { to.set(x, y, c, from.get(x, y, c)); });
    return to;
}

}  // namespace

Image::Image(int width, int height, int channels, int bits, Layout layout)
    : width(width), height(height), channels(channels), bits(bits), layout(layout), bytes(samples() * sample_bytes()) {}

int Image::get(int x, int y, int c) const {
    const size_t i = index(x, y, c);
    if (bits == 8) return bytes[i];
    uint16_t v;
    std::memcpy(&v, &bytes[2 * i], 2);
    return v;
}

void Image::set(int x, int y, int c, int value) {
    const size_t i = index(x, y, c);
    const auto v = static_cast<uint16_t>(value);
    if (bits == 8) bytes[i] = static_cast<uint8_t>(value);
    else std::memcpy(&bytes[2 * i], &v, 2);
}

Image with_layout(const Image &image, Layout layout) {
    return image.layout == layout ? image : copy_channels(image, image.channels, layout);
}

Image without_alpha(const Image &image) {
    return image.channels % 2 == 1 ? image : copy_channels(image, image.channels - 1, image.layout);
}

Image to_8_bits(const Image &image) {
    if (image.bits == 8) return image;
    Image to(image.width, image.height, image.channels, 8, image.layout);
    for_each_sample(to, [&](int x, int y, int c) { to.set(x, y, c, (image.get(x, y, c) * 255 + 32767) / 65535); });
    return to;
}

}  // namespace emulsion::image
