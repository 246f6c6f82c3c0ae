#include "dsl/quant/quantize.h"

#include "runtime/diag/diag.h"

#include <cmath>

namespace emulsion {

namespace {

using Halide::cast;
using Halide::Expr;

/// x - trunc(x) is exact, so a tie is seen as one: adding 0.5 first would round 0.49999997 up.
Expr round_away(const Expr &x) {
    const Expr whole = Halide::trunc(x);
    const Expr step = select(x < 0.0f, -1.0f, 1.0f);
    return whole + select(abs(x - whole) >= 0.5f, step, 0.0f);
}

}  // namespace

Halide::Expr quantize(Halide::Type type, Halide::Expr x, Halide::Expr scale, Halide::Expr zero_point, Ties ties) {
    const Expr ratio = cast<float>(x) / cast<float>(scale);
    const Expr rounded = ties == Ties::even ? Halide::round(ratio) : round_away(ratio);
    // Clamped as floats: int32 conversion of a larger float is undefined. 2^20 is beyond any 16-bit value and zero point.
    const Expr whole = cast<int32_t>(clamp(rounded, -1048576.0f, 1048576.0f));
    return Halide::saturating_cast(type, whole + cast<int32_t>(zero_point));
}

Halide::Expr dequantize(Halide::Expr q, Halide::Expr scale, Halide::Expr zero_point) {
    return cast<float>(scale) * cast<float>(cast<int32_t>(q) - cast<int32_t>(zero_point));
}

Halide::Expr lookup(const Halide::Func &table, Halide::Expr x) {
    const int lowest = x.type().is_int() ? -128 : 0;
    return table(cast<int32_t>(x) - lowest);
}

Halide::Expr Quantized::scale_at(const std::vector<Halide::Expr> &index) const {
    return axis < 0 ? scale : scales(index[axis]);
}

Halide::Expr Quantized::zero_point_at(const std::vector<Halide::Expr> &index) const {
    return axis < 0 ? zero_point : zero_points(index[axis]);
}

Halide::Expr Quantized::real_at(const std::vector<Halide::Expr> &index) const {
    return dequantize(values(index), scale_at(index), zero_point_at(index));
}

Quantized quantized(Halide::Func values, Halide::Expr scale, Halide::Expr zero_point) {
    Quantized q;
    q.values = values;
    q.scale = scale;
    q.zero_point = zero_point;
    q.storage = values.type();
    return q;
}

Quantized quantized(Halide::Func values, Halide::Func scales, Halide::Func zero_points, int axis) {
    Quantized q;
    q.values = values;
    q.scales = scales;
    q.zero_points = zero_points;
    q.axis = axis;
    q.storage = values.type();
    return q;
}

FixedPoint fixed_point(double scale) {
    constexpr double limit = 2147483648.0;
    if (!(scale >= 0.0) || scale >= limit) raise(Diag::scale_out_of_range, {}, scale);
    if (scale == 0.0) return {};
    int exponent = 0;
    auto mantissa = static_cast<int64_t>(std::llround(std::frexp(scale, &exponent) * limit));
    if (mantissa == int64_t{1} << 31) {
        mantissa /= 2;
        exponent++;
    }
    const int shift = 31 - exponent;
    if (shift > 62) return {};
    if (shift < 0) raise(Diag::scale_out_of_range, {}, scale);
    return {static_cast<int32_t>(mantissa), shift};
}

}  // namespace emulsion
