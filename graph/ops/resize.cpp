// resize_bilinear, resize_nearest: images N H W C.
#include "graph/ops/operands.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

void infer_resize(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    const std::vector<int64_t> size = node.integers("size");
    if (in.shape.size() != 4 || size.size() != 2) mismatch(node, "not N H W C and a size of Y, X");
    if (size[0] < 1 || size[1] < 1) mismatch(node, fmt::format("a size of {} x {}", size[0], size[1]));
    set_output(graph, node, 0, in, {in.shape[0], {.extent = size[0]}, {.extent = size[1]}, in.shape[3]});
}

KernelCall resize_call(const Graph &graph, const Node &node, const std::string &generator) {
    const std::vector<int64_t> in = extents(input(graph, node, 0)), out = extents(output(graph, node));
    KernelArgument a = value_argument(graph, node, "in", node.inputs[0], innermost_first(node, in));
    KernelArgument o = result_argument(graph, node, "out", node.outputs[0], innermost_first(node, out));
    KernelCall call{.generator = generator, .params = {{"type", type_name(o.type)}}, .arguments = {a, o}, .scalars = {}};
    call.params["tile_c"] = std::to_string(std::min<int64_t>(out[3], 64));
    const char *names[] = {"y", "x"};
    for (int d = 0; d < 2; d++) {
        call.params[fmt::format("in_{}", names[d])] = std::to_string(in[1 + d]);
        call.params[fmt::format("out_{}", names[d])] = std::to_string(out[1 + d]);
    }
    for (const char *flag : {"align_corners", "half_pixel_centers"})
        if (node.integer(flag)) call.params[flag] = "true";
    return call;
}

}  // namespace

void infer_resize_bilinear(Graph &graph, const Node &node) { infer_resize(graph, node); }

/// TFLite's reference kernel computes uint8 in floating point, int8 and int16 in integers.
std::vector<KernelCall> lower_resize_bilinear(const Graph &graph, const Node &node) {
    KernelCall call = resize_call(graph, node, "resize_bilinear");
    if (input(graph, node, 0).type == DataType::u8) call.params["real"] = "true";
    return {call};
}

void infer_resize_nearest(Graph &graph, const Node &node) { infer_resize(graph, node); }
std::vector<KernelCall> lower_resize_nearest(const Graph &graph, const Node &node) { return {resize_call(graph, node, "resize_nearest")}; }

}  // namespace emulsion::graph
