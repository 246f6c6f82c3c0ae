// max_pool and average_pool. Sources: TFLite reference MAX_POOL_2D, AVERAGE_POOL_2D; ONNX MaxPool, AveragePool, GlobalAveragePool.
#include "graph/ops/quantized.h"
#include "graph/ops/rules.h"
#include "graph/ops/window.h"

#include <fmt/format.h>

namespace emulsion::graph {

namespace {

NodeWindow pool_window(const Node &node) {
    const std::vector<int64_t> kernel = node.integers("kernel");
    if (kernel.size() != 2) mismatch(node, "kernel is not Y X");
    return window_of(node, kernel[0], kernel[1]);
}

void infer_pool(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    if (in.shape.size() != 4) mismatch(node, fmt::format("an input of rank {}, not N H W C", in.shape.size()));
    const NodeWindow w = pool_window(node);
    const Shape shape = {in.shape[0], window_extent(node, in.shape[1], w.y, "y"), window_extent(node, in.shape[2], w.x, "x"), in.shape[3]};
    const Quantization stated = output(graph, node).quantization;
    set_output(graph, node, 0, in, shape, stated.empty());
}

/// Pools keep the scale: TFLite requires it, and no rescaling takes part.
void check_scale(const Node &node, const Value &in, const Value &out) {
    if (is_quantized(in) && in.quantization != out.quantization)
        unsupported(node, "an output of another scale than the input", "requantise after the pool");
}

KernelCall pool_call(const Graph &graph, const Node &node, const char *generator) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    check_scale(node, in, out);
    KernelCall call{.generator = generator};
    call.params["type"] = type_name(element_type(node, in));
    call.arguments = {value_argument(graph, node, "in", input_id(node, 0), innermost_first(node, extents(in))),
                      result_argument(graph, node, "out", node.outputs[0], innermost_first(node, extents(out)))};
    return call;
}

}  // namespace

void infer_max_pool(Graph &graph, const Node &node) { infer_pool(graph, node); }

std::vector<KernelCall> lower_max_pool(const Graph &graph, const Node &node) {
    KernelCall call = pool_call(graph, node, "max_pool");
    set_window(call.params, pool_window(node));
    set_range(call.params, activation_range(node, output(graph, node)));
    return {std::move(call)};
}

void infer_average_pool(Graph &graph, const Node &node) { infer_pool(graph, node); }

std::vector<KernelCall> lower_average_pool(const Graph &graph, const Node &node) {
    const std::vector<int64_t> in = extents(input(graph, node, 0));
    const NodeWindow w = pool_window(node);
    const bool whole = w.y.kernel == in[1] && w.x.kernel == in[2] && w.y.before + w.y.after + w.x.before + w.x.after == 0;
    if (whole && node.text("activation", "none") == "none") return {pool_call(graph, node, "global_average_pool")};
    KernelCall call = pool_call(graph, node, "average_pool");
    set_window(call.params, w);
    set_range(call.params, activation_range(node, output(graph, node)));
    if (node.integer("count_padding")) call.params["count_padding"] = "true";
    return {std::move(call)};
}

}  // namespace emulsion::graph
