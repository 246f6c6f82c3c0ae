// Pictures in memory: a small type of plain bytes, free of Halide and libpng.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulsion::image {

/// planar: x innermost, channels outermost, as the generators in generators/image take it. interleaved: channels innermost,
/// as PNG files have it. Rows are dense in both.
enum class Layout : uint8_t { planar, interleaved };

/// width x height pixels of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) channels; samples are u8 or u16, the latter in the
/// host's byte order.
struct Image {
    int width = 0, height = 0, channels = 1;
    int bits = 8;  ///< 8 or 16
    Layout layout = Layout::planar;
    std::vector<uint8_t> bytes;

    /// Samples are 0.
    Image(int width, int height, int channels, int bits = 8, Layout layout = Layout::planar);
    Image() = default;

    size_t samples() const { return static_cast<size_t>(width) * height * channels; }
    size_t sample_bytes() const { return bits / 8; }
    /// Number of sample (x, y, c), counted from the first.
    size_t index(int x, int y, int c) const {
        const size_t w = width, h = height, n = channels;
        return layout == Layout::planar ? (c * h + y) * w + x : (y * w + x) * n + c;
    }
    int get(int x, int y, int c) const;
    void set(int x, int y, int c, int value);
    /// First byte of channel c; planar only.
    uint8_t *plane(int c) { return bytes.data() + index(0, 0, c) * sample_bytes(); }
    const uint8_t *plane(int c) const { return bytes.data() + index(0, 0, c) * sample_bytes(); }

    bool operator==(const Image &) const = default;
};

/// The same samples in another layout.
Image with_layout(const Image &image, Layout layout);

/// The same picture without its alpha channel, if it has one: 1 or 3 channels.
Image without_alpha(const Image &image);

/// 16-bit samples to 8 bits, rounded to nearest: (v * 255 + 32767) / 65535. 8-bit pictures as they are.
Image to_8_bits(const Image &image);

}  // namespace emulsion::image
