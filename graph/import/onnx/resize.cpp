// Resize and Upsample: one dimension at a time, as every mode is separable. Nearest is a choice of elements, the others are a product with
// a constant matrix of weights. Coordinates and weights are the format's definitions, computed in double.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

struct Words {
    std::string mode, coordinates, nearest, policy;
    bool antialias, exclude_outside;
    double cubic, outside;
};

Words words_of(Op &op) {
    const auto &a = op.attributes;
    const bool old = op.opset < 11;
    return {.mode = a.text("mode", "nearest"), .coordinates = old ? "asymmetric" : a.text("coordinate_transformation_mode", "half_pixel"),
            .nearest = old ? "floor" : a.text("nearest_mode", "round_prefer_floor"), .policy = a.text("keep_aspect_ratio_policy", "stretch"),
            .antialias = a.integer("antialias") != 0, .exclude_outside = a.integer("exclude_outside") != 0, .cubic = a.real("cubic_coeff_a", -0.75),
            .outside = a.real("extrapolation_value")};
}

/// One dimension: `in` elements to `out`, real factor, region of interest as parts of the extent.
struct Axis {
    int64_t in, out;
    double scale, roi_begin = 0, roi_end = 1;
};

double coordinate(Op &op, const Words &w, const Axis &a, double x) {
    const double n = static_cast<double>(a.in), length = a.scale * n;
    if (w.coordinates == "align_corners") return length == 1 ? 0 : x * (n - 1) / (length - 1);
    if (w.coordinates == "asymmetric") return x / a.scale;
    if (w.coordinates == "tf_crop_and_resize") {
        const double span = (a.roi_end - a.roi_begin) * (n - 1), first = a.roi_begin * (n - 1);
        return first + (length == 1 ? span / 2 : x * span / (length - 1));
    }
    if (w.coordinates == "pytorch_half_pixel" && length == 1) return -0.5;
    if (w.coordinates == "half_pixel_symmetric") return n / 2 * (1 - static_cast<double>(a.out) / length) + (x + 0.5) / a.scale - 0.5;
    if (w.coordinates != "half_pixel" && w.coordinates != "pytorch_half_pixel") op.refuse("its coordinates are unknown");
    return (x + 0.5) / a.scale - 0.5;
}

/// Where output element k reads: neighbours from `first` on with these weights; an element between `base` and the next one.
struct Taps {
    int64_t first = 0;
    std::vector<double> weights;
};

double cubic_weight(double a, double x) {
    x = std::fabs(x);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

Taps taps_of(Op &op, const Words &w, const Axis &axis, double x) {
    const double base = std::ceil(x) - 1, ratio = x - base;  // in (0, 1]: an exact coordinate counts as the right end
    const auto at = static_cast<int64_t>(base);
    if (w.mode == "nearest") {
        const bool right = ratio == 1 || w.nearest == "ceil" || (w.nearest == "round_prefer_floor" && ratio > 0.5) || (w.nearest == "round_prefer_ceil" && ratio >= 0.5);
        return {right ? at + 1 : at, {1}};
    }
    if (w.mode != "linear" && w.mode != "cubic") op.refuse("its mode is unknown");
    const bool cubic = w.mode == "cubic";
    const double reach = cubic ? 2 : 1, scale = w.antialias ? std::min(axis.scale, 1.0) : 1;
    const auto start = static_cast<int64_t>(std::floor(-reach / scale)) + 1;
    Taps t{at + start, {}};
    for (int64_t i = start; i < 2 - start; i++) {
        const double d = scale * (static_cast<double>(i) - ratio);
        t.weights.push_back(cubic ? cubic_weight(w.cubic, d) : std::max(0.0, 1 - std::fabs(d)));
    }
    for (size_t k = 0; w.exclude_outside && k < t.weights.size(); k++)
        if (const int64_t i = t.first + static_cast<int64_t>(k); i < 0 || i >= axis.in) t.weights[k] = 0;
    const double sum = std::accumulate(t.weights.begin(), t.weights.end(), 0.0);
    for (double &x : t.weights) x /= sum;
    return t;
}

bool outside(const Words &w, const Axis &a, double x) { return w.coordinates == "tf_crop_and_resize" && (x < 0 || x > static_cast<double>(a.in - 1)); }

ValueId resized(Op &op, const Words &w, ValueId x, int64_t d, const Axis &axis) {
    constexpr int64_t most = int64_t{1} << 24;
    if (axis.in > most / axis.out) op.unsupported("a dimension of this size");
    Ints choice;
    std::vector<double> matrix(static_cast<size_t>(axis.in * axis.out), 0);
    for (int64_t k = 0; k < axis.out; k++) {
        const Taps t = taps_of(op, w, axis, std::clamp(coordinate(op, w, axis, static_cast<double>(k)), -1e6, 1e12));
        for (size_t i = 0; i < t.weights.size(); i++) {
            const int64_t from = std::clamp<int64_t>(t.first + static_cast<int64_t>(i), 0, axis.in - 1);
            if (i == 0) choice.push_back(from);
            matrix[static_cast<size_t>(from * axis.out + k)] += t.weights[i];
        }
    }
    if (w.mode == "nearest") return op.gather(x, op.integers(choice), d);
    const Ints e = op.extents(x);
    Ints turn(e.size());
    std::iota(turn.begin(), turn.end(), 0);
    std::swap(turn[static_cast<size_t>(d)], turn.back());
    const ValueId turned = op.transpose(x, turn), weights = op.constant(op.type(x), {axis.in, axis.out}, matrix);
    return op.transpose(op.matmul(turned, weights), turn);
}

/// `value` where any coordinate lies outside the image.
ValueId with_outside(Op &op, const Words &w, ValueId y, const std::vector<Axis> &axes) {
    ValueId inside = no_value;
    for (size_t d = 0; d < axes.size(); d++) {
        Ints shape(axes.size(), 1), in;
        shape[d] = axes[d].out;
        for (int64_t k = 0; k < axes[d].out; k++) in.push_back(!outside(w, axes[d], coordinate(op, w, axes[d], static_cast<double>(k))));
        if (std::find(in.begin(), in.end(), 0) == in.end()) continue;
        const ValueId row = op.constant(DataType::boolean, shape, in);
        inside = inside == no_value ? row : op.bitwise("and", inside, row);
    }
    return inside == no_value ? y : op.where(inside, y, op.like(y, w.outside));
}

std::vector<Axis> axes_of(Op &op, const Words &w, ValueId x, const std::vector<double> &scales, Ints sizes, const std::vector<double> &roi) {
    const Ints e = op.extents(x);
    Ints named = op.attributes.integers("axes");
    if (named.empty())
        for (int64_t d = 0; d < std::ssize(e); d++) named.push_back(d);
    const size_t n = named.size();
    if ((scales.empty() ? sizes.size() : scales.size()) != n || (w.coordinates == "tf_crop_and_resize" && roi.size() != 2 * n)) op.refuse("sizes, scales or region do not fit its axes");
    std::vector<Axis> axes;
    for (int64_t extent : e) axes.push_back({extent, extent, 1});
    double common = w.policy == "not_larger" ? INFINITY : 0;
    for (size_t k = 0; k < n && scales.empty(); k++) {
        const double s = static_cast<double>(sizes[k]) / static_cast<double>(axes[static_cast<size_t>(op.axis(named[k], std::ssize(e)))].in);
        common = w.policy == "not_larger" ? std::min(common, s) : std::max(common, s);
    }
    for (size_t k = 0; k < n; k++) {
        Axis &a = axes[static_cast<size_t>(op.axis(named[k], std::ssize(e)))];
        if (a.in < 1) op.refuse("an input without elements");
        a.scale = scales.empty() ? (w.policy == "stretch" ? static_cast<double>(sizes[k]) / static_cast<double>(a.in) : common) : scales[k];
        const double out = scales.empty() && w.policy == "stretch" ? static_cast<double>(sizes[k]) : std::floor(a.scale * static_cast<double>(a.in) + (scales.empty() ? 0.5 : 0));
        if (!(a.scale > 0) || !(out >= 1) || out > 1 << 24) op.refuse(fmt::format("an extent of {}", out));
        a.out = static_cast<int64_t>(out);
        if (w.coordinates == "tf_crop_and_resize") a.roi_begin = roi[k], a.roi_end = roi[n + k];
    }
    return axes;
}

/// Opset 10 and Upsample: input, scales. Later: input, region, scales, sizes.
void resize(Op &op, bool upsample) {
    const ValueId x = op.in(0);
    const Words w = words_of(op);
    const bool early = upsample || op.opset < 11;
    const auto reals = [&](size_t k) { return op.has(k) ? op.reals(op.raw(k)) : std::vector<double>{}; };
    std::vector<double> scales = upsample && op.attributes.has("scales") ? op.attributes.reals("scales") : reals(early ? 1 : 2);
    const std::vector<Axis> axes = axes_of(op, w, x, scales, early ? Ints{} : op.numbers_in(3), early ? std::vector<double>{} : reals(1));
    const bool exact = w.mode == "nearest" || op.type(x) == DataType::f32;
    ValueId y = exact ? x : op.cast(x, DataType::f32);
    const bool cropped = w.coordinates == "tf_crop_and_resize";
    for (size_t d = 0; d < axes.size(); d++)
        if (axes[d].in != axes[d].out || axes[d].scale != 1 || (cropped && (axes[d].roi_begin != 0 || axes[d].roi_end != 1))) y = resized(op, w, y, static_cast<int64_t>(d), axes[d]);
    y = with_outside(op, w, y, axes);
    if (!exact && !info(op.type(x)).is_float) op.unsupported("interpolated integers");
    op.result(exact ? y : op.cast(y, op.type(x)));
}

}  // namespace

std::vector<OperatorRow> resize_rows() {
    return {{"Resize", [](Op &op) { resize(op, false); }}, {"Upsample", [](Op &op) { resize(op, true); }}};
}

}  // namespace emulsion::graph::onnx_import
