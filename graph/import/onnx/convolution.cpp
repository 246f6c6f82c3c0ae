// Convolutions: ONNX has N C spatial and weights O I spatial, the graph N Y X C and weights O KY KX I.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {

Spatial::Spatial(OperatorImport &op, ValueId image) : op(op), dimensions(op.rank(image) - 2) {
    if (dimensions < 1) op.refuse(fmt::format("an input of rank {} has no spatial dimensions", op.rank(image)));
    if (dimensions > 2) op.unsupported(fmt::format("{} spatial dimensions", dimensions));
}

ValueId Spatial::channels_last(ValueId v) const {
    if (dimensions == 2) return op.transpose(v, {0, 2, 3, 1});
    const Ints e = op.extents(v);
    return op.reshape(op.transpose(v, {0, 2, 1}), {e[0], e[2], 1, e[1]});
}

ValueId Spatial::channels_first(ValueId v) const {
    if (dimensions == 2) return op.transpose(v, {0, 3, 1, 2});
    const Ints e = op.extents(v);
    return op.transpose(op.reshape(v, {e[0], e[1], e[3]}), {0, 2, 1});
}

Ints Spatial::pair(const Ints &list, int64_t otherwise) const {
    if (list.empty()) return {otherwise, dimensions == 1 ? 1 : otherwise};
    if (std::ssize(list) != dimensions) op.refuse(fmt::format("{} numbers for {} spatial dimensions", list.size(), dimensions));
    return {list[0], dimensions == 1 ? 1 : list[1]};
}

namespace {

constexpr int64_t largest = 1 << 20;  ///< of strides, kernels and paddings; products of two stay far from overflow

void check(OperatorImport &op, const Ints &numbers, int64_t least) {
    for (int64_t n : numbers)
        if (n < least || n > largest) op.refuse(fmt::format("a kernel, stride, dilation or padding of {}", n));
}

/// Paddings that keep or divide the extent: extents are needed here.
void pad_alike(Ints &padding, int64_t extent, int64_t kernel, int64_t stride, int64_t dilation, int d, bool more_before) {
    const int64_t out = (extent + stride - 1) / stride, total = std::max<int64_t>((out - 1) * stride + (kernel - 1) * dilation + 1 - extent, 0);
    padding[d] = more_before ? total - total / 2 : total / 2;
    padding[2 + d] = total - padding[d];
}

}  // namespace

Window window_of(const Spatial &s, ValueId image, const Ints &kernel) {
    OperatorImport &op = s.op;
    Window w{.kernel = s.pair(kernel, 1), .stride = s.pair(op.attributes.integers("strides"), 1), .dilation = s.pair(op.attributes.integers("dilations"), 1), .padding = {0, 0, 0, 0}};
    for (const Ints *list : {&w.kernel, &w.stride, &w.dilation}) check(op, *list, 1);
    const std::string mode = op.attributes.text("auto_pad", "NOTSET");
    if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
        for (int d = 0; d < s.dimensions; d++) pad_alike(w.padding, op.extent(image, 2 + d), w.kernel[d], w.stride[d], w.dilation[d], d, mode == "SAME_LOWER");
    } else if (mode == "NOTSET") {
        const Ints pads = op.attributes.integers("pads");
        if (!pads.empty() && std::ssize(pads) != 2 * s.dimensions) op.refuse(fmt::format("{} pads for {} spatial dimensions", pads.size(), s.dimensions));
        for (size_t d = 0; d < pads.size() / 2; d++) w.padding[d] = pads[d], w.padding[2 + d] = pads[pads.size() / 2 + d];
    } else if (mode != "VALID") {
        op.refuse("auto_pad has an unknown value");
    }
    check(op, w.padding, 0);
    return w;
}

namespace {

using Op = OperatorImport;

/// Weights with their spatial dimensions made two: O I KY KX.
ValueId weights_2d(const Spatial &s, ValueId weights) {
    Op &op = s.op;
    const Ints e = op.extents(weights);
    return s.dimensions == 2 ? weights : op.reshape(weights, {e[0], e[1], e[2], 1});
}

Ints kernel_of(const Spatial &s, ValueId weights) {
    const Ints e = s.op.extents(weights);
    if (std::ssize(e) != s.dimensions + 2) s.op.refuse(fmt::format("weights of rank {} for an image of rank {}", e.size(), s.dimensions + 2));
    const Ints kernel(e.begin() + 2, e.end()), stated = s.op.attributes.integers("kernel_shape", kernel);
    if (stated != kernel) s.op.refuse("kernel_shape and weights differ");
    return kernel;
}

struct Operands {
    ValueId image, weights, bias = no_value;
};

/// The convolution as graph operator. `out`: type and quantisation of an integer result.
ValueId convolution(Op &op, const Operands &o, std::optional<DataType> type = {}, const Quantization &out = {}) {
    const Spatial s(op, o.image);
    const Ints kernel = kernel_of(s, o.weights);
    Attributes attributes = window_of(s, o.image, kernel).attributes();
    const ValueId weights = weights_2d(s, o.weights), image = s.channels_last(o.image);
    const Ints w = op.extents(weights);
    const int64_t groups = op.attributes.integer("group", 1), channels = op.extent(o.image, 1);
    if (groups < 1 || channels % groups != 0 || w[0] % groups != 0 || channels / groups != w[1])
        op.refuse(fmt::format("{} input and {} output channels in {} groups, weights for {}", channels, w[0], groups, w[1]));
    attributes["rounding"] = std::string("rne_f32");
    const bool depthwise = groups > 1 && w[1] == 1;
    if (!depthwise) attributes["groups"] = groups;
    std::vector<ValueId> in{image, depthwise ? op.transpose(op.reshape(weights, {w[0], w[2], w[3]}), {1, 2, 0}) : op.transpose(weights, {0, 2, 3, 1})};
    if (o.bias != no_value) in.push_back(o.bias);
    return s.channels_first(op.make(depthwise ? "depthwise_conv2d" : "conv2d", in, attributes, type, out));
}

void conv(Op &op) { op.result(convolution(op, {.image = op.in(0), .weights = op.in(1), .bias = op.optional_in(2)})); }

/// Scales per output channel belong to weight dimension 0.
void qlinear_conv(Op &op) {
    const Quantization in = quantization_of(op, 1, 2, 1, 0), weights = quantization_of(op, 4, 5, 0, op.extent(op.raw(3), 0)), out = quantization_of(op, 6, 7, 1, 0);
    op.result(convolution(op, {.image = op.restate(op.raw(0), in), .weights = op.restate(op.raw(3), weights), .bias = op.optional_in(8)}, op.type(op.raw(7)), out));
}

/// Zero points without scales: the sums themselves, int32.
void conv_integer(Op &op) {
    const auto zero = [&](size_t k) { return Quantization{.scale = {1}, .zero_point = {static_cast<int32_t>(op.has(k) ? op.integer(op.raw(k)) : 0)}, .axis = -1}; };
    op.result(convolution(op, {.image = op.restate(op.raw(0), zero(2)), .weights = op.restate(op.raw(1), zero(3))}, DataType::i32));
}

/// Output extent as the format defines it; pads are counted off the full result.
int64_t transposed_extent(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, int64_t before, int64_t after, int64_t more) {
    return stride * (in - 1) + more + (kernel - 1) * dilation + 1 - before - after;
}

/// Weights I O KY KX as O KY KX I, with zeros between the taps of a dilated kernel.
ValueId transposed_weights(const Spatial &s, ValueId weights, const Ints &dilation) {
    Op &op = s.op;
    const ValueId turned = op.transpose(weights_2d(s, weights), {1, 2, 3, 0});
    if (dilation == Ints{1, 1}) return turned;
    const Ints e = op.extents(turned);
    const ValueId apart = op.reshape(turned, {e[0], e[1], 1, e[2], 1, e[3]});
    const ValueId padded = op.make("pad", {apart}, {{"before", Ints(6, 0)}, {"after", Ints{0, 0, dilation[0] - 1, 0, dilation[1] - 1, 0}}});
    const ValueId wide = op.reshape(padded, {e[0], e[1] * dilation[0], e[2] * dilation[1], e[3]});
    return op.slice(wide, {0, 0, 0, 0}, {e[0], (e[1] - 1) * dilation[0] + 1, (e[2] - 1) * dilation[1] + 1, e[3]});
}

void conv_transpose(Op &op) {
    const ValueId x = op.in(0), w = op.in(1), bias = op.optional_in(2);
    const Spatial s(op, x);
    const Ints kernel = kernel_of(s, w);
    const std::string mode = op.attributes.text("auto_pad", "NOTSET");
    const Ints shape = op.attributes.integers("output_shape"), more = s.pair(op.attributes.integers("output_padding"), 0);
    check(op, more, 0);
    Window window{.kernel = s.pair(kernel, 1), .stride = s.pair(op.attributes.integers("strides"), 1), .dilation = s.pair(op.attributes.integers("dilations"), 1), .padding = {0, 0, 0, 0}};
    for (const Ints *list : {&window.kernel, &window.stride, &window.dilation}) check(op, *list, 1);
    if (mode == "NOTSET" && shape.empty()) window.padding = window_of(s, x, kernel).padding;
    Ints size{1, 1};
    for (int d = 0; d < s.dimensions; d++) {
        const int64_t in = op.extent(x, 2 + d);
        const auto extent = [&](int64_t before, int64_t after) { return transposed_extent(in, window.kernel[d], window.stride[d], window.dilation[d], before, after, more[d]); };
        size[d] = extent(window.padding[d], window.padding[2 + d]);
        if (shape.empty() && mode != "SAME_UPPER" && mode != "SAME_LOWER") continue;
        size[d] = shape.empty() ? in * window.stride[d] : shape.at(shape.size() - s.dimensions + d);
        const int64_t total = std::max<int64_t>(extent(0, 0) - size[d], 0);
        window.padding[d] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
        window.padding[2 + d] = total - window.padding[d];
    }
    check(op, size, 1);
    const int64_t groups = op.attributes.integer("group", 1), channels = op.extent(x, 1), filters = op.extent(w, 1);
    if (groups < 1 || groups > 1024 || channels % groups != 0 || op.extent(w, 0) != channels) op.refuse(fmt::format("{} channels in {} groups, weights for {}", channels, groups, op.extent(w, 0)));
    const Attributes attributes{{"stride", window.stride}, {"padding", window.padding}, {"output_size", size}};
    std::vector<ValueId> parts;
    for (int64_t g = 0; g < groups; g++) {
        const int64_t from = g * channels / groups, to = (g + 1) * channels / groups;
        std::vector<ValueId> in{s.channels_last(op.part(x, 1, from, to)), transposed_weights(s, op.part(w, 0, from, to), window.dilation)};
        if (bias != no_value) in.push_back(op.part(bias, 0, g * filters, (g + 1) * filters));
        parts.push_back(s.channels_first(op.make("transpose_conv2d", in, attributes)));
    }
    op.result(op.concat(parts, 1));
}

}  // namespace

std::vector<OperatorRow> convolution_rows() {
    return {{"Conv", conv}, {"ConvInteger", conv_integer}, {"ConvTranspose", conv_transpose}, {"QLinearConv", qlinear_conv}};
}

}  // namespace emulsion::graph::onnx_import
