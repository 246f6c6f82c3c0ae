#include "apps/emulsion/model_tensor.h"

#include "apps/emulsion/npy.h"
#include "apps/emulsion/picture.h"
#include "apps/emulsion/request.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/ranges.h>
#include <numeric>
#include <random>
#include <sstream>

namespace emulsion::command {
namespace {

using graph::DataType;

/// Height, width and channels inside a shape of rank 3 or 4, and how far apart their elements lie.
struct Picture {
    int64_t height = 0, width = 0, channels = 0;
    int64_t stride_y = 0, stride_x = 0, stride_c = 0;
};

std::optional<Picture> picture_of(const std::vector<int64_t> &e) {
    if (e.size() < 3 || (e.size() == 4 && e[0] != 1) || e.size() > 4) return {};
    const int64_t *d = e.data() + e.size() - 3;
    const auto colours = [](int64_t n) { return n == 1 || n == 3; };
    if (colours(d[2])) return Picture{d[0], d[1], d[2], d[1] * d[2], d[2], 1};
    if (colours(d[0])) return Picture{d[1], d[2], d[0], d[2], 1, d[1] * d[2]};
    return {};
}

/// One row or column of a bilinear resize, pixel centres aligned: the two taps and the weight of the second in 1/256.
struct Tap {
    int first, second, weight;
};

std::vector<Tap> taps(int from, int64_t to) {
    std::vector<Tap> all;
    for (int64_t k = 0; k < to; k++) {
        // Position in 1/256 pixels: (k + 1/2) * from / to - 1/2.
        const int64_t position = std::clamp<int64_t>(((2 * k + 1) * from * 128) / to - 128, 0, int64_t{from - 1} * 256);
        const int first = static_cast<int>(position >> 8);
        all.push_back({first, std::min(first + 1, from - 1), static_cast<int>(position & 255)});
    }
    return all;
}

int blend(int a, int b, int weight) { return (a * (256 - weight) + b * weight + 128) >> 8; }

/// Sets element k of `bytes` to pixel value p.
void set_pixel(const graph::Value &v, std::vector<uint8_t> &bytes, int64_t k, int p, const PixelScale &scale) {
    if (!scale.mean && !scale.deviation && v.type == DataType::u8) bytes[k] = static_cast<uint8_t>(p);
    else if (!scale.mean && !scale.deviation && v.type == DataType::i8) bytes[k] = static_cast<uint8_t>(static_cast<int8_t>(p - 128));
    else {
        const double real = (p - scale.mean.value_or(0)) / scale.deviation.value_or(255);
        if (v.type == DataType::f32) {
            const float f = static_cast<float>(real);
            std::memcpy(bytes.data() + k * 4, &f, 4);
            return;
        }
        const double q = std::round(real / v.quantization.scale.at(0)) + v.quantization.zero_point.at(0);
        bytes[k] = v.type == DataType::u8 ? static_cast<uint8_t>(std::clamp(q, 0.0, 255.0)) : static_cast<uint8_t>(static_cast<int8_t>(std::clamp(q, -128.0, 127.0)));
    }
}

std::vector<uint8_t> from_picture(const graph::Value &v, const std::string &path, const PixelScale &scale) {
    const std::vector<int64_t> extents = extents_of(v.shape, v.name);
    const std::optional<Picture> shape = picture_of(extents);
    const bool byte_type = (v.type == DataType::u8 || v.type == DataType::i8) && (v.quantization.scale.size() == 1 || !(scale.mean || scale.deviation));
    if (!shape || !(byte_type || v.type == DataType::f32))
        raise(Diag::tensor_mismatch, {}, path, "a picture", v.name, fmt::format("{}[{}]", info(v.type).name, fmt::join(extents, ", ")));
    Halide::Buffer<> file = read_picture(path);
    if (shape->channels == 1 || file.channels() < 3) file = picture_as(file, 2);
    const int planes = file.dimensions() == 2 ? 1 : 3;
    const auto sample = [&, wide = file.type().bits() == 16](int x, int y, int c) {
        const int64_t at = x * int64_t{file.dim(0).stride()} + y * int64_t{file.dim(1).stride()} + (planes == 1 ? 0 : c * int64_t{file.dim(2).stride()});
        return wide ? static_cast<const uint16_t *>(file.data())[at] >> 8 : static_cast<const uint8_t *>(file.data())[at];
    };
    const std::vector<Tap> xs = taps(file.width(), shape->width), ys = taps(file.height(), shape->height);
    std::vector<uint8_t> bytes(bytes_of(v.type, graph::element_count(extents)));
    for (int64_t y = 0; y < shape->height; y++)
        for (int64_t x = 0; x < shape->width; x++)
            for (int64_t c = 0; c < shape->channels; c++) {
                const auto row = [&](int line) { return blend(sample(xs[x].first, line, c), sample(xs[x].second, line, c), xs[x].weight); };
                set_pixel(v, bytes, y * shape->stride_y + x * shape->stride_x + c * shape->stride_c, blend(row(ys[y].first), row(ys[y].second), ys[y].weight), scale);
            }
    return bytes;
}

std::vector<uint8_t> from_random(const graph::Value &v, unsigned seed) {
    const int64_t elements = graph::element_count(extents_of(v.shape, v.name));
    std::mt19937 random(seed);
    std::vector<uint8_t> bytes(bytes_of(v.type, elements));
    if (v.type == DataType::f32)
        for (int64_t k = 0; k < elements; k++) {
            const float f = static_cast<float>(random()) / 2147483648.0f - 1.0f;
            std::memcpy(bytes.data() + k * 4, &f, 4);
        }
    else
        for (uint8_t &b : bytes) b = static_cast<uint8_t>(random() & (v.type == DataType::boolean ? 1 : 255));
    return bytes;
}

std::vector<uint8_t> from_npy(const graph::Value &v, const std::string &path) {
    const Halide::Buffer<> b = read_npy(path);
    const size_t want = bytes_of(v.type, graph::element_count(extents_of(v.shape, v.name)));
    if (b.size_in_bytes() != want)
        raise(Diag::tensor_mismatch, {}, path, fmt::format("{} B", b.size_in_bytes()), v.name, fmt::format("{} B of {}", want, info(v.type).name));
    const auto *data = static_cast<const uint8_t *>(b.data());
    return {data, data + want};
}

}  // namespace

std::vector<uint8_t> model_input(const graph::Value &v, const std::string &text, const PixelScale &scale) {
    if (text.ends_with(".png")) return from_picture(v, text, scale);
    if (text.ends_with(".npy")) return from_npy(v, text);
    if (text == "zero") return std::vector<uint8_t>(bytes_of(v.type, graph::element_count(extents_of(v.shape, v.name))), 0);
    if (text.starts_with("random:")) {
        const std::string seed = text.substr(7);
        if (!seed.empty() && seed.size() < 10 && std::all_of(seed.begin(), seed.end(), [](char c) { return c >= '0' && c <= '9'; }))
            return from_random(v, static_cast<unsigned>(std::stoul(seed)));
    }
    raise(Diag::tensor_form, {}, text, model_input_forms);
}

std::vector<double> real_values(const graph::Value &v, const std::vector<uint8_t> &bytes) {
    graph::Value constant = v;
    constant.data = std::make_shared<const std::vector<uint8_t>>(bytes);
    std::vector<double> real = constant_reals(constant);
    if (v.quantization.scale.size() == 1)
        for (double &r : real) r = (r - v.quantization.zero_point.at(0)) * v.quantization.scale[0];
    return real;
}

std::vector<Ranked> ranked(const graph::Value &v, const std::vector<uint8_t> &bytes, int count) {
    const std::vector<double> real = real_values(v, bytes);
    std::vector<Ranked> all;
    for (size_t k = 0; k < real.size(); k++) all.push_back({k, real[k]});
    std::stable_sort(all.begin(), all.end(), [](const Ranked &a, const Ranked &b) { return a.value > b.value; });
    all.resize(std::min(all.size(), static_cast<size_t>(std::max(count, 0))));
    return all;
}

std::string label_of(const std::vector<std::string> &labels, size_t index) { return index < labels.size() ? labels[index] : std::to_string(index); }

Halide::Buffer<> model_output(const graph::Value &v, const std::vector<uint8_t> &bytes) {
    const graph::DataTypeInfo &type = info(v.type);
    if (type.bits < 8) raise(Diag::tensor_mismatch, {}, v.name, type.name, "a file", "elements of whole bytes");
    std::vector<int64_t> shape = extents_of(v.shape, v.name);
    while (shape.size() > 1 && shape.front() == 1) shape.erase(shape.begin());
    while (shape.size() > 1 && shape.back() == 1) shape.pop_back();
    const auto code = v.type == DataType::bf16 ? Halide::Type::BFloat : type.is_float ? Halide::Type::Float : type.is_signed ? Halide::Type::Int : Halide::Type::UInt;
    Halide::Buffer<> buffer(Halide::Type(code, type.bits, 1), std::vector<int>(shape.rbegin(), shape.rend()));
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
    return buffer;
}

std::vector<std::string> read_lines(const std::string &path) {
    const std::vector<uint8_t> bytes = read_file(path);
    std::istringstream in(std::string(bytes.begin(), bytes.end()));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace emulsion::command
