// softmax and log_softmax along the last dimension. Sources: TFLite reference SOFTMAX, LOG_SOFTMAX; ONNX Softmax, LogSoftmax.
#include "generators/tables.h"
#include "graph/ops/quantized.h"
#include "graph/ops/rules.h"

#include <fmt/format.h>

namespace emulsion::graph {

namespace {

void infer_same(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    axis_of(node, "axis", in.shape.size(), -1);
    set_output(graph, node, 0, in, in.shape, output(graph, node).quantization.empty());
}

/// Rows of the softmax: the axis innermost.
KernelCall row_call(const Graph &graph, const Node &node, const char *generator) {
    const Value &in = input(graph, node, 0);
    const std::vector<int> e = around_axis(node, extents(in), axis_of(node, "axis", in.shape.size(), -1));
    if (e[0] != 1) unsupported(node, "an axis that is not the last", "transpose the tensor so that the axis is the last one");
    KernelCall call{.generator = generator};
    call.params["type"] = type_name(element_type(node, in));
    call.arguments = {value_argument(graph, node, "in", input_id(node, 0), {e[1], e[2]}),
                      result_argument(graph, node, "out", node.outputs[0], {e[1], e[2]})};
    return call;
}

}  // namespace

void infer_softmax(Graph &graph, const Node &node) { infer_same(graph, node); }
void infer_log_softmax(Graph &graph, const Node &node) { infer_same(graph, node); }

std::vector<KernelCall> lower_softmax(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    KernelCall call = row_call(graph, node, "softmax");
    const auto beta = static_cast<float>(node.real("beta", 1));
    if (!is_quantized(in)) {
        if (!info(in.type).is_float) unsupported(node, fmt::format("elements of type {}", info(in.type).name), "convert to float");
        call.params["beta"] = number(beta);
        return {std::move(call)};
    }
    const int64_t lowest = info(in.type).is_signed ? -128 : 0;
    if (info(in.type).bits != 8 || out.type != in.type || scale_of(node, out) != 1.0f / 256 || zero_point_of(node, out) != lowest)
        unsupported(node, "integers other than 8 bits with a result of scale 1/256", "quantise the result to scale 1/256 with the smallest value as zero");
    // PreprocessSoftmaxScaling: beta and scale are multiplied as doubles of float32 numbers.
    const auto table = generators::softmax_table(static_cast<double>(beta) * static_cast<double>(scale_of(node, in)));
    call.arguments.push_back(data_argument("table", ElementType::i32, {256}, bytes_from(std::vector<int32_t>(table.begin(), table.end()))));
    return {std::move(call)};
}

std::vector<KernelCall> lower_log_softmax(const Graph &graph, const Node &node) {
    KernelCall call = row_call(graph, node, "log_softmax");
    if (!info(input(graph, node, 0).type).is_float) unsupported(node, "integers", "dequantise before this node");
    return {std::move(call)};
}

}  // namespace emulsion::graph
