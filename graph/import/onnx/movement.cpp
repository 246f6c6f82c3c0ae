// Operators that move elements without computing.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;
constexpr int64_t largest = int64_t{1} << 31;  ///< of any index: sums of two stay far from overflow

void check(Op &op, const Ints &numbers) {
    for (int64_t n : numbers)
        if (n < -largest || n > largest) op.refuse(fmt::format("the number {} is out of range", n));
}

/// 0 stands for the input's extent; a symbolic one becomes the -1 when there is no other.
void reshape(Op &op) {
    const ValueId x = op.raw(0);
    Ints shape = op.numbers(op.raw(1));
    const bool zero_is_zero = op.attributes.integer("allowzero");
    for (size_t d = 0; d < shape.size(); d++) {
        if (shape[d] < -1) op.refuse(fmt::format("an extent of {}", shape[d]));
        if (shape[d] != 0 || zero_is_zero) continue;
        if (std::ssize(shape) > op.rank(x) && static_cast<int64_t>(d) >= op.rank(x)) op.refuse("an extent of 0 beyond the input's dimensions");
        const Dimension &from = op.value(x).shape[d];
        if (!from.is_static() && std::count(shape.begin(), shape.end(), -1) > 0) op.extents(x);  // raises EM704
        shape[d] = from.is_static() ? from.extent : -1;
    }
    op.result(op.reshape(x, shape));
}

void flatten(Op &op) {
    const ValueId x = op.raw(0);
    const int64_t rank = op.rank(x), axis = op.attributes.integer("axis", 1), at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at > rank) op.refuse(fmt::format("axis {} of {} dimensions", axis, rank));
    if (at == 1) {  // the usual one: a symbolic batch stays
        const Shape &s = op.value(x).shape;
        Shape rest(s.begin() + 1, s.end());
        const int64_t inner = element_count(extents_of(rest, op.value(x).name));
        return op.result(op.reshape(x, {s[0].is_static() ? s[0].extent : -1, inner}));
    }
    const Ints e = op.extents(x);
    op.result(op.reshape(x, {element_count(Ints(e.begin(), e.begin() + at)), element_count(Ints(e.begin() + at, e.end()))}));
}

/// `shape` in place of x's; one symbol may stay.
ValueId with_shape(Op &op, ValueId x, const Shape &shape) {
    Ints numbers;
    for (const Dimension &d : shape) numbers.push_back(d.is_static() ? d.extent : -1);
    return op.reshape(x, numbers);
}

void squeeze(Op &op) {
    const ValueId x = op.raw(0);
    const Shape from = op.value(x).shape;
    const Ints axes = op.axes(op.numbers_or(1, "axes"), op.rank(x));
    Shape shape;
    for (int64_t d = 0; d < std::ssize(from); d++) {
        const bool named = std::find(axes.begin(), axes.end(), d) != axes.end(), one = from[d] == Dimension{.extent = 1};
        if (named && !one) op.refuse(fmt::format("dimension {} has not the extent 1", d));
        if (!(axes.empty() ? one : named)) shape.push_back(from[d]);
    }
    op.result(with_shape(op, x, shape));
}

void unsqueeze(Op &op) {
    const ValueId x = op.raw(0);
    Shape shape = op.value(x).shape;
    const Ints asked = op.numbers_or(1, "axes");
    if (std::ssize(asked) > most_dimensions) op.refuse("too many axes");
    for (int64_t a : op.axes(asked, op.rank(x) + std::ssize(asked))) shape.insert(shape.begin() + a, Dimension{.extent = 1});
    op.result(with_shape(op, x, shape));
}

void transpose(Op &op) {
    const ValueId x = op.raw(0);
    Ints permutation = op.attributes.integers("perm");
    if (!op.attributes.has("perm"))
        for (int64_t d = op.rank(x); d-- > 0;) permutation.push_back(d);
    Ints sorted = permutation, all(static_cast<size_t>(op.rank(x)));
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all) op.refuse("its permutation is none");
    op.result(op.transpose(x, permutation));
}

ValueId empty_constant(Op &op, ValueId like, const Ints &shape) {
    checked_elements(shape, op.name);
    return op.constant(op.type(like), shape, Ints{});
}

void concat(Op &op) {
    std::vector<ValueId> parts;
    for (size_t k = 0; k < op.input_count(); k++) {
        const ValueId v = op.input_count() == 1 ? op.raw(k) : op.in(k);
        const Shape &s = op.value(v).shape;
        if (std::find(s.begin(), s.end(), Dimension{.extent = 0}) == s.end()) parts.push_back(v);
    }
    if (parts.empty()) return op.result(op.raw(0));  // nothing at all
    const int64_t axis = op.attributes.has("axis") ? op.attributes.integer("axis") : 1;
    op.result(op.concat(parts, op.axis(axis, op.rank(parts[0]))));
}

void split(Op &op) {
    const ValueId x = op.raw(0);
    const int64_t axis = op.axis(op.attributes.integer("axis"), op.rank(x)), extent = op.extent(x, axis), n = std::ssize(op.results());
    Ints sizes = op.numbers_or(1, "split");
    if (sizes.empty()) {
        const int64_t each = (extent + n - 1) / n;
        for (int64_t k = 0; k < n; k++) sizes.push_back(std::clamp<int64_t>(extent - k * each, 0, each));
    }
    check(op, sizes);
    if (std::ssize(sizes) != n || std::accumulate(sizes.begin(), sizes.end(), int64_t{0}) != extent || *std::min_element(sizes.begin(), sizes.end()) < 0) op.refuse("its sizes do not make up the extent");
    if (op.is_constant(x) || std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
        int64_t at = 0;
        for (int64_t k = 0; k < n; at += sizes[static_cast<size_t>(k++)]) {
            Ints none = op.extents(x);
            none[static_cast<size_t>(axis)] = 0;
            const int64_t s = sizes[static_cast<size_t>(k)];
            op.result(static_cast<size_t>(k), s == 0 ? empty_constant(op, x, none) : op.part(x, axis, at, at + s));
        }
        return;
    }
    const std::vector<ValueId> parts = op.make_many("split", {x}, static_cast<size_t>(n), {{"axis", axis}, {"sizes", sizes}});
    for (size_t k = 0; k < parts.size(); k++) op.result(k, parts[k]);
}

void slice(Op &op) {
    const ValueId x = op.raw(0);
    const Ints starts = op.numbers_or(1, "starts"), ends = op.numbers_or(2, "ends");
    Ints axes = op.numbers_or(3, "axes"), steps = op.numbers_in(4, Ints(starts.size(), 1));
    if (axes.empty())
        for (int64_t d = 0; d < std::ssize(starts); d++) axes.push_back(d);
    if (starts.size() != ends.size() || starts.size() != axes.size() || starts.size() != steps.size()) op.refuse("starts, ends, axes and steps differ in length");
    Ints sorted = op.axes(axes, op.rank(x));
    const Shape &s = op.value(x).shape;
    Ints begin(s.size(), 0), end, step(s.size(), 1);
    for (const Dimension &d : s) end.push_back(d.extent);
    for (size_t k = 0; k < axes.size(); k++) {
        const auto d = static_cast<size_t>(op.axis(axes[k], op.rank(x)));
        if (!s[d].is_static()) op.extents(x);  // raises EM704
        const int64_t n = s[d].extent;
        if (steps[k] == 0) op.refuse("a step is 0");
        const bool back = steps[k] < 0;
        const auto bound = [&](int64_t v) { return std::clamp<int64_t>(v < 0 ? std::max(v, -n - 1) + n : v, back ? -1 : 0, back ? n - 1 : n); };
        begin[d] = bound(starts[k]), end[d] = bound(ends[k]);
        step[d] = std::clamp<int64_t>(steps[k], -largest, largest);
    }
    if (std::any_of(s.begin(), s.end(), [](const Dimension &d) { return !d.is_static(); })) op.extents(x);
    Ints shape;
    for (size_t d = 0; d < s.size(); d++) {
        const int64_t length = step[d] > 0 ? end[d] - begin[d] : begin[d] - end[d], stride = std::abs(step[d]);
        shape.push_back(std::max<int64_t>((length + stride - 1) / stride, 0));
    }
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return op.result(empty_constant(op, x, shape));
    op.result(op.slice(x, begin, end, step));
}

/// Elements from the other end: parts of the tensor itself stand around it.
ValueId wrapped(Op &op, ValueId x, int64_t axis, int64_t before, int64_t after) {
    const int64_t n = op.extent(x, axis);
    if (before > n || after > n || before < 0 || after < 0) op.unsupported("wrapping around more than once");
    std::vector<ValueId> parts{x};
    if (before > 0) parts.insert(parts.begin(), op.part(x, axis, n - before, n));
    if (after > 0) parts.push_back(op.part(x, axis, 0, after));
    return op.concat(parts, axis);
}

void pad(Op &op) {
    ValueId x = op.in(0);
    const int64_t rank = op.rank(x);
    const Ints pads = op.numbers_or(1, "pads");
    Ints axes = op.numbers_in(3);
    if (axes.empty())
        for (int64_t d = 0; d < rank; d++) axes.push_back(d);
    if (pads.size() != 2 * axes.size()) op.refuse("it has not two pads for every dimension");
    check(op, pads);
    Ints before(static_cast<size_t>(rank), 0), after = before;
    for (size_t k = 0; k < axes.size(); k++) {
        const auto d = static_cast<size_t>(op.axis(axes[k], rank));
        before[d] = pads[k], after[d] = pads[axes.size() + k];
    }
    const std::string mode = op.attributes.text("mode", "constant");
    if (mode == "wrap") {
        for (int64_t d = 0; d < rank; d++) x = wrapped(op, x, d, before[static_cast<size_t>(d)], after[static_cast<size_t>(d)]);
        return op.result(x);
    }
    if (mode != "constant" && mode != "reflect" && mode != "edge") op.refuse("its mode is unknown");
    const double value = op.has(2) ? op.real(op.raw(2)) : op.attributes.real("value");
    if (value != value) op.unsupported("a padding of NaN");
    op.result(op.make("pad", {x}, {{"before", before}, {"after", after}, {"mode", mode}, {"value", value}}));
}

void expand(Op &op) {
    const Ints shape = op.numbers(op.raw(1));
    checked_elements(shape, op.name);
    op.result(op.make("broadcast_to", {op.raw(0)}, {{"shape", shape}}));
}

void tile(Op &op) {
    const Ints repeats = op.numbers(op.raw(1));
    check(op, repeats);
    op.result(op.make("tile", {op.raw(0)}, {{"repeats", repeats}}));
}

/// Blocks are the graph's operators on N Y X C.
void blocks(Op &op, const char *name) {
    const ValueId x = op.raw(0);
    const int64_t block = op.attributes.integer("blocksize");
    if (op.rank(x) != 4 || block < 1 || block > 1 << 15) op.refuse("its input is no image, or its block out of range");
    Attributes attributes{{"block", block}};
    if (std::string_view(name) == "depth_to_space") attributes["order"] = std::string(op.attributes.text("mode", "DCR") == "CRD" ? "cyx" : "yxc");
    op.result(op.transpose(op.make(name, {op.transpose(x, {0, 2, 3, 1})}, attributes), {0, 3, 1, 2}));
}

/// Rows and columns of blocks become channels: (y, x, c) order, or (c, y, x).
void space_to_depth(Op &op) {
    if (op.attributes.text("mode", "DCR") != "CRD") return blocks(op, "space_to_depth");
    const ValueId x = op.raw(0);
    const int64_t b = op.attributes.integer("blocksize");
    if (op.rank(x) != 4 || b < 1 || b > 1 << 15) op.refuse("its input is no image, or its block out of range");
    const Ints e = op.extents(x);
    if (e[2] % b != 0 || e[3] % b != 0) op.refuse("its blocks do not divide the image");
    const ValueId apart = op.transpose(op.reshape(x, {e[0], e[1], e[2] / b, b, e[3] / b, b}), {0, 1, 3, 5, 2, 4});
    op.result(op.reshape(apart, {e[0], e[1] * b * b, e[2] / b, e[3] / b}));
}

void center_crop_pad(Op &op) {
    ValueId x = op.in(0);
    const Ints size = op.numbers(op.raw(1));
    check(op, size);
    Ints axes = op.attributes.integers("axes");
    if (axes.empty())
        for (int64_t d = 0; d < op.rank(x); d++) axes.push_back(d);
    if (axes.size() != size.size()) op.refuse("it has not a size for every axis");
    Ints before(static_cast<size_t>(op.rank(x)), 0), after = before;
    for (size_t k = 0; k < axes.size(); k++) {
        const int64_t d = op.axis(axes[k], op.rank(x)), n = op.extent(x, d);
        if (size[k] < 1) op.refuse("a size is smaller than 1");
        if (size[k] < n) x = op.part(x, d, (n - size[k]) / 2, (n - size[k]) / 2 + size[k]);
        if (size[k] > n) before[static_cast<size_t>(d)] = (size[k] - n) / 2, after[static_cast<size_t>(d)] = size[k] - n - (size[k] - n) / 2;
    }
    op.result(op.make("pad", {x}, {{"before", before}, {"after", after}}));
}

/// One triangle; the other is 0.
void triangle(Op &op) {
    const ValueId x = op.in(0);
    const int64_t rank = op.rank(x);
    if (rank < 2) op.refuse("an input that is no matrix");
    const int64_t rows = op.extent(x, rank - 2), columns = op.extent(x, rank - 1), k = op.has(1) ? op.integer(op.raw(1)) : 0;
    const bool upper = op.attributes.integer("upper", 1);
    if (rows * columns > 1 << 24) op.unsupported("a matrix of this size");
    Ints kept;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) kept.push_back(upper ? c - r >= k : c - r <= k);
    op.result(op.where(op.constant(DataType::boolean, {rows, columns}, kept), x, op.like(x, 0)));
}

}  // namespace

std::vector<OperatorRow> movement_rows() {
    return {
        {"CenterCropPad", center_crop_pad},
        {"Concat", concat},
        {"DepthToSpace", [](Op &op) { blocks(op, "depth_to_space"); }},
        {"Expand", expand},
        {"Flatten", flatten},
        {"Pad", pad},
        {"Reshape", reshape},
        {"Slice", slice},
        {"SpaceToDepth", space_to_depth},
        {"Split", split},
        {"Squeeze", squeeze},
        {"Tile", tile},
        {"Transpose", transpose},
        {"Trilu", triangle},
        {"Unsqueeze", unsqueeze},
    };
}

}  // namespace emulsion::graph::onnx_import
