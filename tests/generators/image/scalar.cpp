#include "tests/generators/image/scalar.h"

#include <cstdlib>

namespace emulsion::scalar {

namespace {

uint8_t clamp8(int v) { return static_cast<uint8_t>(std::clamp(v, 0, 255)); }

Planes each_pixel(const Planes &in, int channels, const std::function<int(int, int, int)> &value) {
    Planes out(in.width, in.height, channels);
    for (int c = 0; c < channels; c++)
        for (int y = 0; y < in.height; y++)
            for (int x = 0; x < in.width; x++) out.at(x, y, c) = clamp8(value(x, y, c));
    return out;
}

int blurred(const Planes &in, int x, int y) {
    constexpr int w[] = {1, 4, 6, 4, 1};
    int sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++) sum += w[i] * w[j] * in.edge(x + i - 2, y + j - 2);
    return (sum + 128) >> 8;
}

Planes gaussian_blur(const Planes &in) {
    return each_pixel(in, 1, [&](int x, int y, int) { return blurred(in, x, y); });
}

Planes sobel(const Planes &in) {
    constexpr int smooth[] = {1, 2, 1};
    return each_pixel(in, 1, [&](int x, int y, int) {
        int gx = 0, gy = 0;
        for (int k = -1; k <= 1; k++) {
            gx += smooth[k + 1] * (in.edge(x + 1, y + k) - in.edge(x - 1, y + k));
            gy += smooth[k + 1] * (in.edge(x + k, y + 1) - in.edge(x + k, y - 1));
        }
        return std::abs(gx) + std::abs(gy);
    });
}

Planes median(const Planes &in) {
    return each_pixel(in, 1, [&](int x, int y, int) {
        std::vector<int> nine;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) nine.push_back(in.edge(x + i, y + j));
        std::nth_element(nine.begin(), nine.begin() + 4, nine.end());
        return nine[4];
    });
}

Planes grey(const Planes &in) {
    return each_pixel(in, 1, [&](int x, int y, int) { return (77 * in.at(x, y, 0) + 150 * in.at(x, y, 1) + 29 * in.at(x, y, 2) + 128) >> 8; });
}

Planes rgb_to_yuv(const Planes &in) {
    constexpr int weights[3][3] = {{77, 150, 29}, {-43, -85, 128}, {128, -107, -21}};
    return each_pixel(in, 3, [&](int x, int y, int c) {
        int sum = 128;
        for (int k = 0; k < 3; k++) sum += weights[c][k] * in.at(x, y, k);
        return (sum >> 8) + (c == 0 ? 0 : 128);
    });
}

Planes yuv_to_rgb(const Planes &in) {
    constexpr int weights[3][2] = {{0, 179}, {-44, -91}, {227, 0}};
    return each_pixel(in, 3, [&](int x, int y, int c) {
        const int colour = weights[c][0] * (in.at(x, y, 1) - 128) + weights[c][1] * (in.at(x, y, 2) - 128);
        return in.at(x, y, 0) + ((colour + 64) >> 7);
    });
}

Planes equalize(const Planes &in) {
    int64_t below[256] = {};
    for (uint8_t v : in.pixels) below[v]++;
    for (int v = 1; v < 256; v++) below[v] += below[v - 1];
    const int64_t first = *std::find_if(below, below + 256, [](int64_t n) { return n > 0; }), rest = below[255] - first;
    return each_pixel(in, 1, [&](int x, int y, int) {
        const int v = in.at(x, y);
        return rest == 0 ? v : static_cast<int>(((below[v] - first) * 255 + rest / 2) / rest);
    });
}

int mirrored(int v, int extent) {
    while (v < 0 || v >= extent) v = v < 0 ? -v : 2 * (extent - 1) - v;
    return v;
}

// Mean of the pixels at distance one that have the wanted colour; the pixel itself if it has it.
Planes demosaic(const Planes &in) {
    const auto has = [](int x, int y, int c) { return c == ((x & 1) + (y & 1)); };
    return each_pixel(in, 3, [&](int x, int y, int c) {
        if (has(x, y, c)) return in.at(x, y);
        int sum = 0, count = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (has(x + dx, y + dy, c)) sum += in.at(mirrored(x + dx, in.width), mirrored(y + dy, in.height)), count++;
        return (sum + count / 2) / count;
    });
}

Planes tone(const Planes &in) {
    const std::vector<uint8_t> curve = tone_curve();
    return each_pixel(in, 1, [&](int x, int y, int) {
        int sum = 128;
        for (int j = -8; j < 8; j++)
            for (int i = -8; i < 8; i++) sum += in.edge(x + i, y + j);
        return (in.at(x, y) * curve[sum >> 8] + 32) >> 6;
    });
}

}  // namespace

std::vector<uint8_t> tone_curve() {
    std::vector<uint8_t> curve(256);
    for (int v = 0; v < 256; v++) curve[v] = static_cast<uint8_t>(200 - v / 2);
    return curve;
}

Planes unsharp(const Planes &in, int amount) {
    return each_pixel(in, 1, [&](int x, int y, int) { return in.at(x, y) + (((in.at(x, y) - blurred(in, x, y)) * amount + 8) >> 4); });
}

Planes resize(const Planes &in, int width, int height) {
    const int step_x = in.width * 65536 / width, step_y = in.height * 65536 / height;
    const auto blend = [](int a, int b, int w) { return (a * (256 - w) + b * w + 128) >> 8; };
    Planes out(width, height);
    for (int y = 0; y < height; y++) {
        const int py = y * step_y + ((step_y - 65536) >> 1), j = py >> 16, wy = py >> 8 & 255;
        for (int x = 0; x < width; x++) {
            const int px = x * step_x + ((step_x - 65536) >> 1), i = px >> 16, wx = px >> 8 & 255;
            const auto column = [&](int dx) { return blend(in.edge(i + dx, j), in.edge(i + dx, j + 1), wy); };
            out.at(x, y) = clamp8(blend(column(0), column(1), wx));
        }
    }
    return out;
}

const std::vector<Kernel> &kernels() {
    static const std::vector<Kernel> all = {
        {"demosaic", 1, 3, demosaic, 2},
        {"gaussian_blur", 1, 1, gaussian_blur},
        {"histogram_equalize", 1, 1, equalize},
        {"local_tone_curve", 1, 1, tone},
        {"median3x3", 1, 1, median},
        {"rgb_to_grey", 3, 1, grey},
        {"rgb_to_yuv", 3, 3, rgb_to_yuv},
        {"sobel", 1, 1, sobel},
        {"unsharp_mask", 1, 1, [](const Planes &in) { return unsharp(in, 16); }},
        {"yuv_to_rgb", 3, 3, yuv_to_rgb},
    };
    return all;
}

}  // namespace emulsion::scalar
