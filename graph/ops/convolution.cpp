// conv2d, depthwise_conv2d, transpose_conv2d. Sources: TFLite reference CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV; ONNX Conv, QLinearConv.
#include "graph/ops/contraction.h"
#include "graph/ops/rules.h"
#include "graph/ops/window.h"

#include <fmt/format.h>

namespace emulsion::graph {

namespace {

constexpr size_t image_rank = 4;

const Value &image(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    if (in.shape.size() != image_rank) mismatch(node, fmt::format("an input of rank {}, not N H W C", in.shape.size()));
    return in;
}

/// Extents of weights of `rank`; for depthwise a leading 1 is dropped.
std::vector<int64_t> weight_extents(const Graph &graph, const Node &node, size_t rank) {
    std::vector<int64_t> e = extents(input(graph, node, 1));
    if (e.size() == rank + 1 && e[0] == 1) e.erase(e.begin());
    if (e.size() != rank) mismatch(node, fmt::format("weights of rank {}, not {}", e.size(), rank));
    return e;
}

ValueId bias_of(const Node &node) { return node.inputs.size() > 2 ? node.inputs[2] : no_value; }

void set_image(Graph &graph, const Node &node, const Shape &shape) {
    Value &out = output(graph, node);
    out.type = contraction_type(input(graph, node, 0), out);
    out.shape = shape;
}

/// Calls `check(extent)` for input channels that are known.
void check_channels(const Node &node, const Value &in, int64_t expected) {
    const Dimension &c = in.shape.back();
    if (c.is_static() && c.extent != expected) mismatch(node, fmt::format("{} input channels, the weights take {}", c.extent, expected));
}

bool per_tensor_in_float(const Value &in) { return in.type == DataType::u8; }

KernelCall window_call(const Graph &graph, const Node &node, const char *generator, const NodeWindow &window) {
    KernelCall call{.generator = generator};
    set_window(call.params, window);
    call.arguments.push_back(value_argument(graph, node, "in", input_id(node, 0), innermost_first(node, extents(image(graph, node)))));
    return call;
}

void add_result(KernelCall &call, const Graph &graph, const Node &node) {
    call.arguments.push_back(result_argument(graph, node, "out", node.outputs[0], innermost_first(node, extents(output(graph, node)))));
}

}  // namespace

void infer_conv2d(Graph &graph, const Node &node) {
    const Value &in = image(graph, node);
    const auto w = weight_extents(graph, node, image_rank);
    const int64_t groups = node.integer("groups", 1);
    if (groups < 1 || w[0] % groups != 0) mismatch(node, fmt::format("{} output channels in {} groups", w[0], groups));
    check_channels(node, in, w[3] * groups);
    const NodeWindow window = window_of(node, w[1], w[2]);
    set_image(graph, node, {in.shape[0], window_extent(node, in.shape[1], window.y, "y"), window_extent(node, in.shape[2], window.x, "x"), {.extent = w[0]}});
}

std::vector<KernelCall> lower_conv2d(const Graph &graph, const Node &node) {
    const Value &in = image(graph, node), &weights = input(graph, node, 1), &out = output(graph, node);
    const auto w = weight_extents(graph, node, image_rank);
    KernelCall call = window_call(graph, node, "conv2d", window_of(node, w[1], w[2]));
    if (const int64_t groups = node.integer("groups", 1); groups > 1) {
        call.params["group_in"] = std::to_string(w[3]);
        call.params["group_out"] = std::to_string(w[0] / groups);
    }
    call.arguments.push_back(packed_weights(node, "weights", weights, {0, 3, 2, 1}));
    add_output_stage(call, graph, node,
                     {.in = in, .weights = weights, .out = out, .bias = bias_of(node), .channels = static_cast<int>(w[0]), .products = w[1] * w[2] * w[3],
                      .rounding = node.text("rounding", "double"), .product_in_float = per_tensor_in_float(in)});
    add_result(call, graph, node);
    return {std::move(call)};
}

void infer_depthwise_conv2d(Graph &graph, const Node &node) {
    const Value &in = image(graph, node);
    const auto w = weight_extents(graph, node, image_rank - 1);
    const Dimension &c = in.shape[3];
    if (c.is_static() && (c.extent < 1 || w[2] % c.extent != 0)) mismatch(node, fmt::format("{} filters for {} channels", w[2], c.extent));
    const NodeWindow window = window_of(node, w[0], w[1]);
    set_image(graph, node, {in.shape[0], window_extent(node, in.shape[1], window.y, "y"), window_extent(node, in.shape[2], window.x, "x"), {.extent = w[2]}});
}

std::vector<KernelCall> lower_depthwise_conv2d(const Graph &graph, const Node &node) {
    const Value &in = image(graph, node), &weights = input(graph, node, 1), &out = output(graph, node);
    const auto w = weight_extents(graph, node, image_rank - 1);
    KernelCall call = window_call(graph, node, "depthwise_conv2d", window_of(node, w[0], w[1]));
    call.params["multiplier_c"] = std::to_string(w[2] / extents(in)[3]);
    call.arguments.push_back(weights_argument(graph, node, "weights", input_id(node, 1), innermost_first(node, w)));
    add_output_stage(call, graph, node,
                     {.in = in, .weights = weights, .out = out, .bias = bias_of(node), .channels = static_cast<int>(w[2]), .products = w[0] * w[1],
                      .rounding = node.text("rounding", "double"), .product_in_float = per_tensor_in_float(in)});
    add_result(call, graph, node);
    return {std::move(call)};
}

void infer_transpose_conv2d(Graph &graph, const Node &node) {
    const Value &in = image(graph, node);
    const auto w = weight_extents(graph, node, image_rank);
    check_channels(node, in, w[3]);
    const std::vector<int64_t> size = node.integers("output_size");
    if (size.size() != 2) mismatch(node, "output_size is not Y X");
    window_of(node, w[1], w[2]);
    set_image(graph, node, {in.shape[0], {.extent = size[0]}, {.extent = size[1]}, {.extent = w[0]}});
}

std::vector<KernelCall> lower_transpose_conv2d(const Graph &graph, const Node &node) {
    const Value &in = image(graph, node), &weights = input(graph, node, 1), &out = output(graph, node);
    const auto w = weight_extents(graph, node, image_rank);
    KernelCall call = window_call(graph, node, "transpose_conv2d", window_of(node, w[1], w[2]));
    call.arguments.push_back(packed_weights(node, "weights", weights, {0, 3, 2, 1}));
    add_output_stage(call, graph, node,
                     {.in = in, .weights = weights, .out = out, .bias = bias_of(node), .channels = static_cast<int>(w[0]), .products = w[1] * w[2] * w[3],
                      .rounding = node.text("rounding", "double"), .product_in_float = per_tensor_in_float(in)});
    add_result(call, graph, node);
    return {std::move(call)};
}

}  // namespace emulsion::graph
