// Convolutions, matrices, pools, normalisation, softmax, reductions.
#include "graph/import/tflite/dynamic_range.h"
#include "graph/import/tflite/operator_import.h"

#include <algorithm>

namespace emulsion::graph::tflite {
namespace {

using Ints = std::vector<int64_t>;
constexpr int64_t same = 0;

/// Elements before and after one dimension for SAME padding; VALID: none. Source: TFLite ComputePaddingWithOffset.
struct Pad {
    int64_t before = 0, after = 0;
};

Pad padding(int64_t mode, int64_t in, int64_t kernel, int64_t stride, int64_t dilation) {
    if (mode != same) return {};
    const int64_t out = (in + stride - 1) / stride;
    const int64_t total = std::max<int64_t>((out - 1) * stride + (kernel - 1) * dilation + 1 - in, 0);
    return {total / 2, total - total / 2};
}

struct WindowFields {
    int64_t mode, stride_y, stride_x, dilation_y = 1, dilation_x = 1;
};

/// Checks the window and gives the attributes stride, dilation and padding.
std::map<std::string, Attribute> window(OperatorImport &op, const WindowFields &w, int64_t kernel_y, int64_t kernel_x) {
    constexpr int64_t limit = 1 << 20;
    for (int64_t n : {w.stride_y, w.stride_x, w.dilation_y, w.dilation_x, kernel_y, kernel_x})
        if (n < 1 || n > limit) op.broken("a stride, dilation or kernel is out of range");
    const Ints in = op.in_extents(0);
    if (in.size() != 4) op.broken("its input has not four dimensions");
    const Pad y = padding(w.mode, in[1], kernel_y, w.stride_y, w.dilation_y), x = padding(w.mode, in[2], kernel_x, w.stride_x, w.dilation_x);
    return {{"stride", Ints{w.stride_y, w.stride_x}}, {"dilation", Ints{w.dilation_y, w.dilation_x}}, {"padding", Ints{y.before, x.before, y.after, x.after}}};
}

std::vector<ValueId> first_inputs(OperatorImport &op, size_t required, size_t most) {
    std::vector<ValueId> in;
    for (size_t k = 0; k < most; k++) {
        if (k < required) in.push_back(op.input(k));
        else if (op.has_input(k)) in.push_back(op.inputs[k]);
    }
    return in;
}

void conv2d(OperatorImport &op) {
    const Ints w = op.in_extents(1), in = op.in_extents(0);
    if (w.size() != 4) op.broken("its weights have not four dimensions");
    const WindowFields fields{op.options.integer8(0), op.options.integer32(2), op.options.integer32(1), op.options.integer32(5, 1), op.options.integer32(4, 1)};
    auto attributes = window(op, fields, w[1], w[2]);
    if (w[3] < 1 || in[3] % w[3] != 0) op.broken("input and weight channels do not divide");
    attributes["groups"] = in[3] / w[3];
    if (is_dynamic_range(op)) return add_dynamic_range(op, "conv2d", std::move(attributes), {1, 2, 3}, op.activation(op.options.integer8(3)));
    attributes["activation"] = op.activation(op.options.integer8(3));
    attributes["rounding"] = std::string("double");
    op.add("conv2d", first_inputs(op, 2, 3), std::move(attributes));
}

void depthwise_conv2d(OperatorImport &op) {
    Value &w = op.in(1);
    const Ints e = op.in_extents(1);
    if (e.size() != 4 || e[0] != 1) op.broken("its weights are not 1 KY KX C");
    const WindowFields fields{op.options.integer8(0), op.options.integer32(2), op.options.integer32(1), op.options.integer32(6, 1), op.options.integer32(5, 1)};
    auto attributes = window(op, fields, e[1], e[2]);
    attributes["activation"] = op.activation(op.options.integer8(4));
    attributes["rounding"] = std::string("double");
    // The same elements without the leading 1; other readers of the weights keep theirs.
    Value squeezed = w;
    squeezed.name += ".kernel";
    squeezed.shape.erase(squeezed.shape.begin());
    if (squeezed.quantization.axis > 0) squeezed.quantization.axis--;
    std::vector<ValueId> in = first_inputs(op, 2, 3);
    if (squeezed.is_constant()) in[1] = op.graph.add_value(std::move(squeezed));
    else in[1] = op.add_step("kernel", "reshape", {in[1]}, squeezed, {{"shape", Ints{e[1], e[2], e[3]}}});
    op.add("depthwise_conv2d", std::move(in), std::move(attributes));
}

void transpose_conv2d(OperatorImport &op) {
    const Ints size = op.constants(0), w = op.in_extents(1);
    if (size.size() != 4 || w.size() != 4) op.broken("output shape or weights have not four dimensions");
    const int64_t stride_y = op.options.integer32(2), stride_x = op.options.integer32(1);
    if (stride_y < 1 || stride_x < 1 || size[1] < 1 || size[2] < 1) op.broken("a stride or the output shape is out of range");
    const Pad y = padding(op.options.integer8(0), size[1], w[1], stride_y, 1), x = padding(op.options.integer8(0), size[2], w[2], stride_x, 1);
    std::vector<ValueId> in{op.input(2), op.input(1)};
    if (op.has_input(3)) in.push_back(op.inputs[3]);
    op.add("transpose_conv2d", std::move(in),
           {{"stride", Ints{stride_y, stride_x}}, {"padding", Ints{y.before, x.before, y.after, x.after}}, {"output_size", Ints{size[1], size[2]}},
            {"activation", op.activation(op.options.integer8(3))}, {"rounding", std::string("double")}});
}

void fully_connected(OperatorImport &op) {
    if (op.options.integer8(1) != 0) op.broken("shuffled weights have no meaning here");
    // With asymmetric inputs the reference takes float64 for the zero points.
    const bool asymmetric = op.options.boolean(3);
    if (is_dynamic_range(op) && !asymmetric && op.rank(0) == 2)
        return add_dynamic_range(op, "fully_connected", {{"keep_dimensions", int64_t{0}}}, {1}, op.activation(op.options.integer8(0)));
    op.add("fully_connected", first_inputs(op, 2, 3),
           {{"activation", op.activation(op.options.integer8(0))}, {"keep_dimensions", int64_t{op.options.boolean(2)}}, {"rounding", std::string("half_away")}});
}

void batch_matmul(OperatorImport &op) {
    op.add("matmul", {op.input(0), op.input(1)},
           {{"transpose_a", int64_t{op.options.boolean(0)}}, {"transpose_b", int64_t{op.options.boolean(1)}}, {"rounding", std::string("double")}});
}

void pool(OperatorImport &op, const char *name) {
    const int64_t kernel_y = op.options.integer32(4), kernel_x = op.options.integer32(3);
    auto attributes = window(op, {op.options.integer8(0), op.options.integer32(2), op.options.integer32(1)}, kernel_y, kernel_x);
    attributes.erase("dilation");
    attributes["kernel"] = Ints{kernel_y, kernel_x};
    attributes["activation"] = op.activation(op.options.integer8(5));
    op.add(name, {op.input(0)}, std::move(attributes));
}

void reduce(OperatorImport &op, const char *function) {
    Ints axes = op.constants(1);
    for (int64_t &a : axes) a = op.axis(a, op.rank(0));
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    op.add("reduce", {op.input(0)}, {{"function", std::string(function)}, {"axes", axes}, {"keep_dimensions", int64_t{op.options.boolean(0)}}});
}

void arg_reduce(OperatorImport &op, const char *function) {
    const Ints axis = op.constants(1);
    if (axis.size() != 1) op.broken("it has not one axis");
    op.add("arg_reduce", {op.input(0)}, {{"function", std::string(function)}, {"axis", op.axis(axis[0], op.rank(0))}});
}

void cumulative_sum(OperatorImport &op) {
    const Ints axis = op.constants(1);
    if (axis.size() != 1) op.broken("it has not one axis");
    op.add("cumulative_sum", {op.input(0)},
           {{"axis", op.axis(axis[0], op.rank(0))}, {"exclusive", int64_t{op.options.boolean(0)}}, {"reverse", int64_t{op.options.boolean(1)}}});
}

}  // namespace

std::vector<OperatorRow> compute_rows() {
    using Op = OperatorImport;
    return {
        {3, "CONV_2D", conv2d},
        {4, "DEPTHWISE_CONV_2D", depthwise_conv2d},
        {67, "TRANSPOSE_CONV", transpose_conv2d},
        {9, "FULLY_CONNECTED", fully_connected},
        {126, "BATCH_MATMUL", batch_matmul},
        {1, "AVERAGE_POOL_2D", [](Op &op) { pool(op, "average_pool"); }},
        {17, "MAX_POOL_2D", [](Op &op) { pool(op, "max_pool"); }},
        {25, "SOFTMAX", [](Op &op) { op.add("softmax", {op.input(0)}, {{"axis", int64_t{-1}}, {"beta", double{op.options.real(0)}}}); }},
        {50, "LOG_SOFTMAX", [](Op &op) { op.add("log_softmax", {op.input(0)}, {{"axis", int64_t{-1}}}); }},
        {11, "L2_NORMALIZATION", [](Op &op) { op.add("lp_norm", {op.input(0)}, {{"axis", int64_t{-1}}, {"p", int64_t{2}}, {"epsilon", 1e-6}}); }},
        {40, "MEAN", [](Op &op) { reduce(op, "mean"); }},
        {74, "SUM", [](Op &op) { reduce(op, "sum"); }},
        {81, "REDUCE_PROD", [](Op &op) { reduce(op, "prod"); }},
        {82, "REDUCE_MAX", [](Op &op) { reduce(op, "max"); }},
        {89, "REDUCE_MIN", [](Op &op) { reduce(op, "min"); }},
        {91, "REDUCE_ANY", [](Op &op) { reduce(op, "any"); }},
        {140, "REDUCE_ALL", [](Op &op) { reduce(op, "all"); }},
        {56, "ARG_MAX", [](Op &op) { arg_reduce(op, "max"); }},
        {79, "ARG_MIN", [](Op &op) { arg_reduce(op, "min"); }},
        {128, "CUMSUM", cumulative_sum},
    };
}

}  // namespace emulsion::graph::tflite
