#include "apps/emulsion/difference.h"

#include "runtime/diag/diag.h"

#include <cmath>
#include <cstring>
#include <fmt/ranges.h>

namespace emulsion::command {

namespace {

/// Sign-magnitude float bits on one ordered line: neighbouring floats are one apart, -0 and +0 coincide.
int64_t ordered(uint64_t bits, int width) {
    const uint64_t sign = uint64_t{1} << (width - 1);
    const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
}

struct Element {
    uint64_t bits;
    bool is_nan;
    double value;
};

Element element(const uint8_t *at, Halide::Type t) {
    Element e{0, false, 0};
    std::memcpy(&e.bits, at, t.bytes());
    if (t.is_bfloat()) e.value = static_cast<float>(Halide::bfloat16_t::make_from_bits(static_cast<uint16_t>(e.bits)));
    else if (t.is_float() && t.bits() == 16) e.value = static_cast<float>(Halide::float16_t::make_from_bits(static_cast<uint16_t>(e.bits)));
    else if (t.is_float() && t.bits() == 32) { float f; std::memcpy(&f, at, 4); e.value = f; }
    else if (t.is_float()) std::memcpy(&e.value, at, 8);
    else if (t.is_int()) e.value = static_cast<double>(static_cast<int64_t>(e.bits << (64 - t.bits())) >> (64 - t.bits()));
    else e.value = static_cast<double>(e.bits);
    e.is_nan = t.is_float() && std::isnan(e.value);
    return e;
}

uint64_t distance(const Element &a, const Element &b, Halide::Type t) {
    if (!t.is_float()) return a.bits == b.bits ? 0 : UINT64_MAX;
    if (a.is_nan || b.is_nan) return a.is_nan && b.is_nan ? 0 : UINT64_MAX;
    return static_cast<uint64_t>(std::llabs(ordered(a.bits, t.bits()) - ordered(b.bits, t.bits())));
}

std::string place(const Halide::Buffer<> &b, uint64_t index) {
    std::vector<uint64_t> at;
    for (int d = 0; d < b.dimensions(); index /= b.dim(d++).extent()) at.push_back(index % b.dim(d).extent());
    return fmt::format("({})", fmt::join(at, ", "));
}

}  // namespace

Difference compare(const Halide::Buffer<> &have, const Halide::Buffer<> &want, uint64_t ulp) {
    Difference d;
    const Halide::Type t = have.type();
    const auto *a = static_cast<const uint8_t *>(have.data()), *b = static_cast<const uint8_t *>(want.data());
    for (d.elements = 0; d.elements < have.number_of_elements(); d.elements++, a += t.bytes(), b += t.bytes()) {
        const Element x = element(a, t), y = element(b, t);
        const uint64_t apart = distance(x, y, t);
        if (t.is_float()) d.largest_ulp = std::max(d.largest_ulp, apart);
        if (apart <= (t.is_float() ? ulp : 0)) continue;
        if (d.different++ == 0) d.first = fmt::format("{}: {} instead of {}", place(have, d.elements), x.value, y.value);
    }
    return d;
}

std::string equality(const Difference &d) {
    return fmt::format("{} elements equal stock Halide's{}", d.elements, d.largest_ulp ? fmt::format(" within {} ulp", d.largest_ulp) : " bit for bit");
}

void require_equal(const std::string &name, const Difference &d) {
    if (d.different) raise(Diag::result_differs, {}, name, d.first, d.different, d.elements);
}

}  // namespace emulsion::command
