// layer_norm, batch_norm, instance_norm, lp_norm. Sources: ONNX LayerNormalization, BatchNormalization, InstanceNormalization,
// LpNormalization; TFLite reference L2_NORMALIZATION.
#include "graph/ops/quantized.h"
#include "graph/ops/rules.h"

#include <cmath>
#include <fmt/format.h>

namespace emulsion::graph {

namespace {

void infer_same(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    set_output(graph, node, 0, in, in.shape, output(graph, node).quantization.empty());
}

void check_float(const Node &node, const Value &in) {
    if (!info(in.type).is_float) unsupported(node, fmt::format("elements of type {}", info(in.type).name), "dequantise before this node");
}

/// A per-channel float32 parameter, or `otherwise` everywhere where the input is absent.
KernelArgument parameter(const Graph &graph, const Node &node, const char *name, size_t k, int64_t elements, float otherwise) {
    const std::vector<int> shape = innermost_first(node, {elements});
    if (k >= node.inputs.size() || node.inputs[k] == no_value)
        return data_argument(name, ElementType::f32, shape, bytes_from(std::vector<float>(static_cast<size_t>(elements), otherwise)));
    const Value &v = input(graph, node, k);
    if (element_count(extents(v)) != elements) mismatch(node, fmt::format("{} of {} elements for {}", name, element_count(extents(v)), elements));
    if (v.type == DataType::f32) return value_argument(graph, node, name, node.inputs[k], shape);
    if (!v.is_constant()) unsupported(node, fmt::format("{} of type {}", name, info(v.type).name), "make it float32");
    return data_argument(name, ElementType::f32, shape, bytes_from(constant_floats(v)));
}

KernelCall float_call(const Graph &graph, const Node &node, const char *generator, const std::vector<int> &shape) {
    const Value &in = input(graph, node, 0);
    check_float(node, in);
    KernelCall call{.generator = generator};
    call.params["type"] = type_name(element_type(node, in));
    call.arguments = {value_argument(graph, node, "in", input_id(node, 0), shape), result_argument(graph, node, "out", node.outputs[0], shape)};
    return call;
}

std::string epsilon(const Node &node, double otherwise) { return fmt::format("{:.9g}", node.real("epsilon", otherwise)); }

int64_t channels_of(const Node &node, const Value &in) {
    if (in.shape.empty()) mismatch(node, "an input of rank 0");
    return in.shape.back().extent;
}

}  // namespace

void infer_layer_norm(Graph &graph, const Node &node) {
    axis_of(node, "axis", input(graph, node, 0).shape.size(), -1);
    infer_same(graph, node);
}

std::vector<KernelCall> lower_layer_norm(const Graph &graph, const Node &node) {
    const std::vector<int64_t> e = extents(input(graph, node, 0));
    int64_t inner = 1, outer = 1;
    for (size_t d = 0; d < e.size(); d++) (static_cast<int>(d) < axis_of(node, "axis", e.size(), -1) ? outer : inner) *= e[d];
    KernelCall call = float_call(graph, node, "layer_norm", innermost_first(node, {outer, inner}));
    call.params["epsilon"] = epsilon(node, 1e-5);
    call.arguments.push_back(parameter(graph, node, "gamma", 1, inner, 1));
    call.arguments.push_back(parameter(graph, node, "beta", 2, inner, 0));
    return {std::move(call)};
}

void infer_batch_norm(Graph &graph, const Node &node) {
    channels_of(node, input(graph, node, 0));
    infer_same(graph, node);
}

/// As onnxruntime: scale = gamma / sqrt(variance + epsilon), offset = beta - mean * scale, both float32, then x * scale + offset.
std::vector<KernelCall> lower_batch_norm(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    const int64_t channels = channels_of(node, in), elements = element_count(extents(in));
    const auto e = static_cast<float>(node.real("epsilon", 1e-5));
    std::vector<std::vector<float>> p;
    for (size_t k = 1; k <= 4; k++) {
        const Value &v = input(graph, node, k);
        if (!v.is_constant()) unsupported(node, fmt::format("the computed parameter \"{}\"", v.name), "export the model for inference");
        p.push_back(constant_floats(v));
        if (static_cast<int64_t>(p.back().size()) != channels) mismatch(node, fmt::format("{} parameters for {} channels", p.back().size(), channels));
    }
    std::vector<float> scale, offset;
    for (int64_t c = 0; c < channels; c++) {
        scale.push_back(p[0][c] / std::sqrt(p[3][c] + e));
        const float moved = p[2][c] * scale[c];
        offset.push_back(p[1][c] - moved);
    }
    KernelCall call = float_call(graph, node, "channel_affine", innermost_first(node, {elements / channels, channels}));
    const std::vector<int> shape = innermost_first(node, {channels});
    call.arguments.push_back(data_argument("scale", ElementType::f32, shape, bytes_from(scale)));
    call.arguments.push_back(data_argument("offset", ElementType::f32, shape, bytes_from(offset)));
    return {std::move(call)};
}

void infer_instance_norm(Graph &graph, const Node &node) {
    if (input(graph, node, 0).shape.size() < 3) mismatch(node, "an input without spatial dimensions");
    infer_same(graph, node);
}

std::vector<KernelCall> lower_instance_norm(const Graph &graph, const Node &node) {
    const std::vector<int64_t> e = extents(input(graph, node, 0));
    const int64_t channels = e.back(), pixels = element_count(e) / channels / e[0];
    KernelCall call = float_call(graph, node, "instance_norm", innermost_first(node, {e[0], pixels, channels}));
    call.params["epsilon"] = epsilon(node, 1e-5);
    call.arguments.push_back(parameter(graph, node, "gamma", 1, channels, 1));
    call.arguments.push_back(parameter(graph, node, "beta", 2, channels, 0));
    return {std::move(call)};
}

void infer_lp_norm(Graph &graph, const Node &node) {
    axis_of(node, "axis", input(graph, node, 0).shape.size(), -1);
    infer_same(graph, node);
}

std::vector<KernelCall> lower_lp_norm(const Graph &graph, const Node &node) {
    const std::vector<int64_t> e = extents(input(graph, node, 0));
    const int64_t p = node.integer("p", 2);
    if (p != 1 && p != 2) unsupported(node, fmt::format("the {}-norm", p), "use the 1-norm or the 2-norm");
    KernelCall call = float_call(graph, node, "lp_norm", around_axis(node, e, axis_of(node, "axis", e.size(), -1)));
    call.params["p"] = std::to_string(p);
    call.params["epsilon"] = epsilon(node, 0);
    return {std::move(call)};
}

}  // namespace emulsion::graph
