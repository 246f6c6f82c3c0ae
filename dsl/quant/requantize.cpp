#include "dsl/quant/requantize.h"

#include "runtime/diag/diag.h"

#include <fmt/ranges.h>

#include <string>

namespace emulsion {

namespace {

using Halide::cast;
using Halide::Expr;

Expr product(const Expr &acc, const Expr &multiplier) { return cast<int64_t>(acc) * cast<int64_t>(multiplier); }

Expr power_of_two(const Expr &exponent) { return cast<int64_t>(1) << cast<int64_t>(exponent); }

Expr single(const Expr &acc, const Expr &m, const Expr &s) {
    // rounding_shift_right has no intermediate overflow, also for the largest product at shift 63.
    return cast<int32_t>(Halide::rounding_shift_right(product(acc, m), cast<int64_t>(s)));
}

Expr floor_(const Expr &acc, const Expr &m, const Expr &s) { return cast<int32_t>(product(acc, m) >> cast<int64_t>(s)); }

Expr trunc_(const Expr &acc, const Expr &m, const Expr &s) {
    const Expr p = product(acc, m), shift = cast<int64_t>(s);
    return cast<int32_t>(select(p < 0, -((-p) >> shift), p >> shift));
}

Expr half_away(const Expr &acc, const Expr &m, const Expr &s) {
    const Expr p = product(acc, m), shift = cast<int64_t>(s);
    return cast<int32_t>(
        select(p < 0, -Halide::rounding_shift_right(-p, shift), Halide::rounding_shift_right(p, shift)));
}

/// TFLite: SaturatingRoundingDoublingHighMul(x << left, m), then RoundingDivideByPOT(., right), with
/// left = max(31 - s, 0) and right = max(s - 31, 0).
Expr double_(const Expr &acc, const Expr &m, const Expr &s) {
    const Expr left = max(31 - s, 0), right = max(s - 31, 0);
    const Expr x = cast<int32_t>(cast<int64_t>(acc) << cast<int64_t>(left));
    const Expr p = product(x, m);
    // The nudge has the product's sign and the division truncates: ties go up.
    const Expr nudged = p + select(p >= 0, cast<int64_t>(1 << 30), cast<int64_t>(1 - (1 << 30)));
    const Expr truncated = select(nudged < 0, -((-nudged) >> 31), nudged >> 31);
    const Expr high = Halide::saturating_cast<int32_t>(truncated);
    const Expr wide = cast<int64_t>(high);
    const Expr mask = power_of_two(right) - 1;
    const Expr remainder = wide & mask;
    const Expr threshold = (mask >> 1) + select(wide < 0, cast<int64_t>(1), cast<int64_t>(0));
    return cast<int32_t>((wide >> cast<int64_t>(right)) + select(remainder > threshold, cast<int64_t>(1), cast<int64_t>(0)));
}

Expr rne_f32(const Expr &acc, const Expr &scale, const Expr &) {
    return Halide::saturating_cast<int32_t>(Halide::round(cast<float>(acc) * cast<float>(scale)));
}

struct Row {
    Expr (*plain)(const Expr &, const Expr &, const Expr &);
};
constexpr Row rows[] = {{single}, {double_}, {floor_}, {trunc_}, {half_away}, {rne_f32}};  // order of enum Rounding

Expr marker(const Expr &acc, const Expr &multiplier, const Expr &shift, Rounding mode) {
    const std::string name = "emulsion.requantize." + std::string(rounding_names[static_cast<int>(mode)]);
    std::vector<Expr> args{acc, multiplier};
    if (mode != Rounding::rne_f32) args.push_back(shift);
    return Halide::Internal::Call::make(Halide::Int(32), name, args, Halide::Internal::Call::PureExtern);
}

}  // namespace

Rounding rounding(std::string_view name) {
    for (size_t i = 0; i < std::size(rounding_names); i++)
        if (rounding_names[i] == name) return static_cast<Rounding>(i);
    raise(Diag::rounding_unknown, {}, std::string(name), fmt::format("{}", fmt::join(rounding_names, " ")));
}

Halide::Expr requantize(Halide::Expr acc, Halide::Expr multiplier, Halide::Expr shift, Rounding mode, Form form) {
    acc = cast<int32_t>(acc);
    multiplier = mode == Rounding::rne_f32 ? cast<float>(multiplier) : cast<int32_t>(multiplier);
    shift = shift.defined() ? cast<int32_t>(shift) : Expr(0);
    return form == Form::npu ? marker(acc, multiplier, shift, mode) : rows[static_cast<int>(mode)].plain(acc, multiplier, shift);
}

Halide::Expr requantize_to(Halide::Type type, Halide::Expr acc, Halide::Expr multiplier, Halide::Expr shift, Rounding mode,
                           Halide::Expr zero_point, Form form) {
    const Expr scaled = requantize(acc, multiplier, shift, mode, form);
    return Halide::saturating_cast(type, Halide::saturating_add(scaled, cast<int32_t>(zero_point)));
}

}  // namespace emulsion
