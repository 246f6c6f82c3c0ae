#include "graph/ops/window.h"

#include "runtime/diag/diag.h"

namespace emulsion::graph {

namespace {

std::vector<int64_t> list(const Node &node, const std::string &key, const std::vector<int64_t> &otherwise) {
    std::vector<int64_t> v = node.integers(key, otherwise);
    if (v.size() != otherwise.size()) raise(Diag::graph_attribute, {.stage = "graph", .node = node.name}, key, node.op);
    return v;
}

constexpr int64_t largest = 1 << 20;  // beyond any image; products of two stay far from overflow

void check(const Node &node, const WindowAxis &a) {
    for (int64_t positive : {a.kernel, a.stride, a.dilation})
        if (positive < 1 || positive > largest) mismatch(node, fmt::format("a kernel, stride or dilation of {}", positive));
    for (int64_t pad : {a.before, a.after})
        if (pad < 0 || pad > largest) mismatch(node, fmt::format("a padding of {}", pad));
}

}  // namespace

NodeWindow window_of(const Node &node, int64_t kernel_y, int64_t kernel_x) {
    const auto stride = list(node, "stride", {1, 1}), dilation = list(node, "dilation", {1, 1}), padding = list(node, "padding", {0, 0, 0, 0});
    const NodeWindow w{.y = {kernel_y, stride[0], dilation[0], padding[0], padding[2]}, .x = {kernel_x, stride[1], dilation[1], padding[1], padding[3]}};
    check(node, w.y);
    check(node, w.x);
    return w;
}

Dimension window_extent(const Node &node, const Dimension &in, const WindowAxis &axis, const char *direction) {
    if (!in.is_static()) return axis.keeps() ? in : Dimension{-1, node.name + "." + direction};
    const int64_t room = in.extent + axis.before + axis.after - axis.span();
    if (room < 0) mismatch(node, fmt::format("a window of {} {} on an extent of {}", axis.span(), direction, in.extent + axis.before + axis.after));
    return {.extent = room / axis.stride + 1};
}

void set_window(std::map<std::string, std::string> &params, const NodeWindow &w) {
    const std::pair<const char *, int64_t> fields[] = {
        {"kernel_x", w.x.kernel},     {"kernel_y", w.y.kernel},     {"stride_x", w.x.stride}, {"stride_y", w.y.stride},
        {"dilation_x", w.x.dilation}, {"dilation_y", w.y.dilation}, {"pad_x", w.x.before},    {"pad_y", w.y.before}};
    for (const auto &[name, value] : fields) params[name] = std::to_string(value);
}

}  // namespace emulsion::graph
