// Image kernels as plain loops over pixels, written from the formulae in the generators' headers and not from their code.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace emulsion::scalar {

/// Planes, x innermost, channels outermost.
struct Planes {
    int width = 0, height = 0, channels = 1;
    std::vector<uint8_t> pixels;

    Planes(int width, int height, int channels = 1)
        : width(width), height(height), channels(channels), pixels(size_t(width) * height * channels) {}
    uint8_t &at(int x, int y, int c = 0) { return pixels[(size_t(c) * height + y) * width + x]; }
    int at(int x, int y, int c = 0) const { return pixels[(size_t(c) * height + y) * width + x]; }
    /// The nearest pixel of the picture.
    int edge(int x, int y, int c = 0) const { return at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1), c); }
    std::vector<int> extents() const {
        return channels == 1 ? std::vector<int>{width, height} : std::vector<int>{width, height, channels};
    }
};

struct Kernel {
    const char *generator;
    int in_channels, out_channels;
    std::function<Planes(const Planes &)> apply;
    int smallest = 1;  ///< extent
};

/// All kernels whose output has the extents of their input.
const std::vector<Kernel> &kernels();

/// The table that local_tone_curve gets in tests.
std::vector<uint8_t> tone_curve();

/// Bilinear, to width x height.
Planes resize(const Planes &in, int width, int height);
Planes unsharp(const Planes &in, int amount);

}  // namespace emulsion::scalar
