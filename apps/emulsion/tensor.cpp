#include "apps/emulsion/tensor.h"

#include "apps/emulsion/npy.h"
#include "apps/emulsion/picture.h"
#include "runtime/diag/diag.h"

#include <charconv>
#include <cstring>
#include <random>
#include <sstream>

namespace emulsion::command {

using Halide::Buffer;
using Halide::Type;

namespace {

struct Range {
    double lo, hi;  ///< integers: both ends included; floats: hi excluded
};

Range default_range(Type t) {
    if (t.is_float()) return {-1, 1};
    if (t.bits() > 16) return {t.is_uint() ? 0.0 : -32768.0, t.is_uint() ? 65535.0 : 32767.0};
    return {t.is_uint() ? 0.0 : -std::ldexp(1.0, t.bits() - 1), std::ldexp(1.0, t.is_uint() ? t.bits() : t.bits() - 1) - 1};
}

std::vector<std::string> split(const std::string &text, char by) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, by);) parts.push_back(part);
    return parts;
}

double parse_number(const std::string &text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) raise(Diag::tensor_form, {}, text, input_forms);
    return value;
}

/// The bits of `value` in type t, in the low bytes.
uint64_t bits_of(Type t, double value) {
    uint64_t bits = 0;
    if (t.is_float() && t.bits() == 64) std::memcpy(&bits, &value, 8);
    else if (t.is_bfloat()) bits = Halide::bfloat16_t(value).to_bits();
    else if (t.is_float() && t.bits() == 16) bits = Halide::float16_t(value).to_bits();
    else if (t.is_float()) {
        const float f = static_cast<float>(value);
        std::memcpy(&bits, &f, 4);
    } else bits = static_cast<uint64_t>(static_cast<int64_t>(value));
    return bits;
}

template<typename Next>
void fill(Buffer<> &buffer, Next next) {
    const int bytes = buffer.type().bytes();
    auto *at = static_cast<uint8_t *>(buffer.data());
    for (size_t i = 0; i < buffer.number_of_elements(); i++, at += bytes) {
        const uint64_t bits = bits_of(buffer.type(), next(i));
        std::memcpy(at, &bits, bytes);
    }
}

void fill_random(Buffer<> &buffer, const std::vector<std::string> &words) {
    Range range = default_range(buffer.type());
    if (words.size() == 4) range = {parse_number(words[2]), parse_number(words[3])};
    std::mt19937_64 random(words.size() > 1 ? static_cast<uint64_t>(parse_number(words[1])) : 1);
    const bool whole = !buffer.type().is_float();
    const double width = range.hi - range.lo + (whole ? 1 : 0);
    fill(buffer, [&](size_t) {
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;  // [0, 1)
        return whole ? range.lo + std::floor(unit * width) : range.lo + unit * width;
    });
}

using Filler = void (*)(Buffer<> &, const std::vector<std::string> &);
struct Form {
    std::string_view name;
    size_t least, most;  ///< words, the name included
    Filler fill;
};
const Form forms[] = {
    {"random", 1, 4, fill_random},
    {"zero", 1, 1, [](Buffer<> &b, const std::vector<std::string> &) { fill(b, [](size_t) { return 0.0; }); }},
    {"constant", 2, 2,
     [](Buffer<> &b, const std::vector<std::string> &w) { fill(b, [v = parse_number(w[1])](size_t) { return v; }); }},
    {"ramp", 1, 1,
     [](Buffer<> &b, const std::vector<std::string> &) { fill(b, [](size_t i) { return static_cast<double>(i % 251); }); }},
};

const Form *find_form(const std::vector<std::string> &words) {
    for (const Form &f : forms)
        if (!words.empty() && f.name == words[0] && words.size() >= f.least && words.size() <= f.most) return &f;
    return nullptr;
}

std::vector<int> extents_of(const Buffer<> &b) {
    std::vector<int> extents;
    for (int d = 0; d < b.dimensions(); d++) extents.push_back(b.dim(d).extent());
    return extents;
}

}  // namespace

TensorSource::TensorSource(std::string text) : text_(std::move(text)) {
    is_image_ = text_.ends_with(".png");
    if (is_image_) file_ = read_picture(text_);
    else if (text_.ends_with(".npy")) file_ = read_npy(text_);
    else if (!find_form(split(text_, ':'))) raise(Diag::tensor_form, {}, text_, input_forms);
}

std::optional<std::vector<int>> TensorSource::extents(const Signature &input) const {
    if (!file_.defined()) return std::nullopt;
    if (is_image_) return extents_of(picture_as(file_, input.dimensions));
    return extents_of(file_);
}

Buffer<> TensorSource::make(const Signature &input, const std::vector<int> &extents) const {
    if (file_.defined()) {
        Buffer<> b = is_image_ ? picture_as(file_, input.dimensions) : file_;
        if (b.type() != input.type || b.dimensions() != input.dimensions || extents_of(b) != extents) {
            std::ostringstream have, want;
            have << b.type() << " with extents " << fmt::format("{}", fmt::join(extents_of(b), ","));
            want << input.type << " with extents " << fmt::format("{}", fmt::join(extents, ","));
            raise(Diag::tensor_mismatch, {}, text_, have.str(), input.name, want.str());
        }
        return b;
    }
    Buffer<> b(input.type, extents);
    const std::vector<std::string> words = split(text_, ':');
    find_form(words)->fill(b, words);
    return b;
}

int64_t parse_scalar(const Signature &scalar, const std::string &text) {
    const uint64_t bits = bits_of(scalar.type, parse_number(text));
    return static_cast<int64_t>(bits);
}

void write_tensor(const std::string &path, const Buffer<> &buffer) {
    if (path.ends_with(".png")) return write_picture(path, buffer);
    if (path.ends_with(".npy")) return write_npy(path, buffer);
    raise(Diag::tensor_form, {}, path, "FILE.png or FILE.npy for an output");
}

}  // namespace emulsion::command
