// Pools. More than two spatial dimensions are pooled two and one at a time: maxima and means of windows are separable.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

/// One dimension of a window over an extent.
struct Slide {
    int64_t kernel, stride = 1, dilation = 1, before = 0, after = 0;
    bool grown = false;  ///< ceil_mode added elements behind the padding
    int64_t span() const { return (kernel - 1) * dilation + 1; }
};

/// ceil_mode as padding after the last element: a window must begin within the image or its padding before.
void grow(Slide &s, int64_t extent) {
    const int64_t room = extent + s.before + s.after - s.span();
    int64_t out = (room + s.stride - 1) / s.stride + 1;
    if ((out - 1) * s.stride >= extent + s.before) out--;
    const int64_t needed = (out - 1) * s.stride + s.span() - extent - s.before;
    if (needed > s.after) s.after = needed, s.grown = true;
}

std::vector<Slide> slides_of(Op &op, ValueId x) {
    const Ints e = op.extents(x), kernel = op.attributes.integers("kernel_shape");
    const int64_t n = std::ssize(e) - 2;
    const Ints stride = op.attributes.integers("strides", Ints(kernel.size(), 1)), dilation = op.attributes.integers("dilations", Ints(kernel.size(), 1)), pads = op.attributes.integers("pads");
    if (n < 1 || std::ssize(kernel) != n || std::ssize(stride) != n || std::ssize(dilation) != n || (!pads.empty() && std::ssize(pads) != 2 * n))
        op.refuse(fmt::format("kernel, strides, dilations or pads do not fit {} spatial dimensions", n));
    const std::string mode = op.attributes.text("auto_pad", "NOTSET");
    std::vector<Slide> slides;
    for (int64_t d = 0; d < n; d++) {
        Slide s{.kernel = kernel[d], .stride = stride[d], .dilation = dilation[d]};
        if (!pads.empty() && mode == "NOTSET") s.before = pads[d], s.after = pads[n + d];
        constexpr int64_t largest = 1 << 20;
        if (std::min({s.kernel, s.stride, s.dilation}) < 1 || std::max({s.kernel, s.stride, s.dilation, s.before, s.after}) > largest || std::min(s.before, s.after) < 0)
            op.refuse("a kernel, stride, dilation or padding is out of range");
        if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
            const int64_t out = (e[2 + d] + s.stride - 1) / s.stride, total = std::max<int64_t>((out - 1) * s.stride + s.span() - e[2 + d], 0);
            s.before = mode == "SAME_LOWER" ? total - total / 2 : total / 2;
            s.after = total - s.before;
        }
        if (op.attributes.integer("ceil_mode")) grow(s, e[2 + d]);
        slides.push_back(s);
    }
    return slides;
}

Attributes attributes_of(const Slide &y, const Slide &x, bool with_dilation) {
    Attributes a{{"kernel", Ints{y.kernel, x.kernel}}, {"stride", Ints{y.stride, x.stride}}, {"padding", Ints{y.before, x.before, y.after, x.after}}};
    if (with_dilation) a["dilation"] = Ints{y.dilation, x.dilation};
    return a;
}

/// `pool` of images N C spatial.
ValueId pooled(Op &op, const char *pool, ValueId x, const std::vector<Slide> &slides, const Attributes &more = {}) {
    const bool maximum = std::string_view(pool) == "max_pool";
    const auto window = [&](ValueId image, const Slide &y, const Slide &s) {
        Attributes a = attributes_of(y, s, maximum);
        a.insert(more.begin(), more.end());
        return op.make(pool, {image}, a);
    };
    const Ints e = op.extents(x);
    if (slides.size() == 2) return op.transpose(window(op.transpose(x, {0, 2, 3, 1}), slides[0], slides[1]), {0, 3, 1, 2});
    // One dimension at a time, as rows of an image without channels.
    ValueId v = x;
    Ints shape = e;
    for (size_t d = 0; d < slides.size(); d++) {
        int64_t outer = 1, inner = 1;
        for (size_t k = 0; k < 2 + d; k++) outer *= shape[k];
        for (size_t k = 3 + d; k < shape.size(); k++) inner *= shape[k];
        v = window(op.reshape(v, {outer, shape[2 + d], 1, inner}), slides[d], Slide{.kernel = 1});
        shape[2 + d] = op.extent(v, 1);
        v = op.reshape(v, shape);
    }
    return v;
}

void max_pool(Op &op) {
    const ValueId x = op.raw(0);
    if (op.wants(1)) op.unsupported("the indices of the maxima");
    op.result(pooled(op, "max_pool", x, slides_of(op, x)));
}

/// Mean over windows; elements that only ceil_mode adds are never counted.
ValueId averages(Op &op, ValueId x, bool count_padding) {
    const std::vector<Slide> slides = slides_of(op, x);
    for (const Slide &s : slides) {
        if (s.dilation != 1) op.unsupported("dilations of a mean");
        if (s.grown && count_padding) op.unsupported("ceil_mode together with count_include_pad");
    }
    return pooled(op, "average_pool", x, slides, {{"count_padding", int64_t{count_padding}}});
}

void average_pool(Op &op) { op.result(averages(op, op.in(0), op.attributes.integer("count_include_pad"))); }

int64_t window_elements(Op &op) { return element_count(op.attributes.integers("kernel_shape")); }

/// (sum of |x|^p)^(1/p) by means.
void lp_pool(Op &op) {
    const int64_t p = op.attributes.integer("p", 2);
    if (p != 1 && p != 2) op.unsupported(fmt::format("the {}-norm", p));
    const ValueId x = op.in(0), powers = p == 1 ? op.unary("abs", x) : op.mul(x, x), means = averages(op, powers, true);
    const ValueId sums = op.mul(means, op.like(x, static_cast<double>(window_elements(op))));
    op.result(p == 1 ? sums : op.unary("sqrt", sums));
}

Ints spatial_axes(Op &op, ValueId x) {
    Ints axes;
    for (int64_t d = 2; d < op.rank(x); d++) axes.push_back(d);
    if (axes.empty()) op.refuse("an input without spatial dimensions");
    return axes;
}

void global(Op &op, const char *function) {
    const ValueId x = std::string_view(function) == "max" ? op.raw(0) : op.in(0);
    op.result(op.reduce(function, x, spatial_axes(op, x), true));
}

/// x / (bias + alpha * mean of x² over `size` neighbouring channels)^beta; channels beyond the ends count as 0.
void local_response(Op &op) {
    const ValueId x = op.in(0);
    const Ints e = op.extents(x);
    const int64_t size = op.attributes.integer("size");
    if (size < 1 || size > 1 << 16 || e.size() < 2) op.refuse("its size is out of range");
    const ValueId rows = op.reshape(op.mul(x, x), {e[0], e[1], -1, 1});
    const Slide channels{.kernel = size, .before = (size - 1) / 2, .after = size / 2};
    Attributes a = attributes_of(channels, Slide{.kernel = 1}, false);
    a["count_padding"] = int64_t{1};
    const ValueId means = op.reshape(op.make("average_pool", {rows}, a), e);
    const ValueId scaled = op.add(op.mul(means, op.like(x, op.attributes.real("alpha", 1e-4))), op.like(x, op.attributes.real("bias", 1)));
    op.result(op.div(x, op.make("pow", {scaled, op.like(x, op.attributes.real("beta", 0.75))})));
}

}  // namespace

std::vector<OperatorRow> pool_rows() {
    return {{"AveragePool", average_pool},
            {"GlobalAveragePool", [](Op &op) { global(op, "mean"); }},
            {"GlobalMaxPool", [](Op &op) { global(op, "max"); }},
            {"LRN", local_response},
            {"LpPool", lp_pool},
            {"MaxPool", max_pool}};
}

}  // namespace emulsion::graph::onnx_import
