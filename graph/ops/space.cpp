// space_to_depth, depth_to_space, space_to_batch, batch_to_space: blocks of pixels become channels or images, and back. N H W C.
#include "graph/ops/copies.h"
#include "graph/ops/pad_call.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

int64_t block_of(const Node &node) {
    const int64_t b = node.integer("block", 2);
    if (b < 1) mismatch(node, fmt::format("a block of {}", b));
    return b;
}

void check_image(const Node &node, const Value &v) {
    if (v.shape.size() != 4) mismatch(node, fmt::format("rank {} instead of N H W C", v.shape.size()));
}

// `extent` divided; symbols cannot be.
Dimension divided(const Node &node, const Value &v, size_t d, int64_t by) {
    if (!v.shape[d].is_static()) extents(v);  // raises EM704
    if (v.shape[d].extent % by != 0) mismatch(node, fmt::format("an extent of {} does not divide by {}", v.shape[d].extent, by));
    return {.extent = v.shape[d].extent / by};
}
Dimension multiplied(const Value &v, size_t d, int64_t by) {
    if (!v.shape[d].is_static()) extents(v);  // raises EM704
    return {.extent = v.shape[d].extent * by};
}

// Image (n, y, x, c) with strides, its pixels seen as block rows and columns.
struct Blocks {
    int64_t n, y, x, c, block;  ///< extents: y, x blocks
    // Steps in the image; and in the tensor that has a block's pixels as channels.
    int64_t image_row() const { return x * block * c; }
};

std::vector<KernelCall> block_call(const Graph &graph, const Node &node, const Blocks &b, bool to_depth, const std::string &order) {
    const int64_t deep = b.c * b.block * b.block;  // channels of the deep tensor
    const bool yxc = order == "yxc";
    struct Step { int64_t extent, image, deep; };
    const Step steps[] = {{b.c, 1, yxc ? 1 : b.block * b.block},
                          {b.block, b.c, yxc ? b.c : 1},
                          {b.x, b.c * b.block, deep},
                          {b.block, b.image_row(), yxc ? b.c * b.block : b.block},
                          {b.y, b.image_row() * b.block, deep * b.x},
                          {b.n, b.image_row() * b.block * b.y, deep * b.x * b.y}};
    Copy copy{.source = input_id(node, 0), .destination = node.outputs[0], .from_offset = 0, .to_offset = 0, .dimensions = {}};
    for (const Step &s : steps) copy.dimensions.push_back({s.extent, to_depth ? s.image : s.deep, to_depth ? s.deep : s.image});
    if (is_identity(copy)) return {};
    return {copy_call(graph, node, copy)};
}

std::vector<int64_t> four(const Node &node, const std::string &key) {
    std::vector<int64_t> v = node.integers(key, {0, 0, 0, 0});
    if (v.size() != 4) mismatch(node, fmt::format("{} has {} entries", key, v.size()));
    return v;
}
std::vector<int64_t> block_pair(const Node &node) {
    std::vector<int64_t> v = node.integers("block", {2, 2});
    if (v.size() != 2 || v[0] < 1 || v[1] < 1) mismatch(node, "block has to be two positive numbers");
    return v;
}

// One axis of the images of phase p: element k is pixel k * block + p - before.
struct Phase {
    int64_t first;   ///< first k whose pixel is in the image
    int64_t count;   ///< how many are
    int64_t pixel;   ///< of the first
};
Phase phase(int64_t p, int64_t block, int64_t before, int64_t pixels, int64_t elements) {
    const int64_t first = std::max<int64_t>(0, (before - p + block - 1) / block), pixel = first * block + p - before;
    const int64_t count = pixel >= pixels ? 0 : (pixels - pixel + block - 1) / block;
    return {first, std::min(count, elements - first), pixel};
}

}  // namespace

void infer_space_to_depth(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    check_image(node, in);
    const int64_t b = block_of(node);
    set_output(graph, node, 0, in, {in.shape[0], divided(node, in, 1, b), divided(node, in, 2, b), multiplied(in, 3, b * b)});
}
std::vector<KernelCall> lower_space_to_depth(const Graph &graph, const Node &node) {
    const std::vector<int64_t> in = extents(input(graph, node, 0));
    const int64_t b = block_of(node);
    return block_call(graph, node, {in[0], in[1] / b, in[2] / b, in[3], b}, true, "yxc");
}

void infer_depth_to_space(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    check_image(node, in);
    const int64_t b = block_of(node);
    const std::string order = node.text("order", "yxc");
    if (order != "yxc" && order != "cyx") mismatch(node, fmt::format("order \"{}\"", order));
    set_output(graph, node, 0, in, {in.shape[0], multiplied(in, 1, b), multiplied(in, 2, b), divided(node, in, 3, b * b)});
}
std::vector<KernelCall> lower_depth_to_space(const Graph &graph, const Node &node) {
    const std::vector<int64_t> in = extents(input(graph, node, 0));
    const int64_t b = block_of(node);
    return block_call(graph, node, {in[0], in[1], in[2], in[3] / (b * b), b}, false, node.text("order", "yxc"));
}

void infer_space_to_batch(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    check_image(node, in);
    const std::vector<int64_t> block = block_pair(node), pad = four(node, "padding");
    Value padded = in;
    for (int d = 0; d < 2; d++) {
        if (!in.shape[1 + d].is_static()) extents(in);  // raises EM704
        padded.shape[1 + d].extent += pad[d] + pad[2 + d];
    }
    set_output(graph, node, 0, in, {multiplied(in, 0, block[0] * block[1]), divided(node, padded, 1, block[0]), divided(node, padded, 2, block[1]), in.shape[3]});
}

// Phase (py, px) of the block is a run of images: every block-th row and column, with the padding that falls into it.
std::vector<KernelCall> lower_space_to_batch(const Graph &graph, const Node &node) {
    const std::vector<int64_t> in = extents(input(graph, node, 0)), out = extents(output(graph, node));
    const std::vector<int64_t> block = block_pair(node), pad = four(node, "padding"), from = dense_strides(in);
    std::vector<KernelCall> calls;
    for (int64_t py = 0; py < block[0]; py++)
        for (int64_t px = 0; px < block[1]; px++) {
            const Phase y = phase(py, block[0], pad[0], in[1], out[1]), x = phase(px, block[1], pad[1], in[2], out[2]);
            const bool empty = y.count < 1 || x.count < 1;  // nothing but padding: one element, padded from outside the result
            PadCall p{.in = {in[0], empty ? 1 : y.count, empty ? 1 : x.count, in[3]}, .out = {in[0], out[1], out[2], in[3]},
                      .before = {0, empty ? -1 : y.first, empty ? -1 : x.first, 0}};
            p.in_offset = empty ? 0 : y.pixel * from[1] + x.pixel * from[2];
            p.in_strides = {from[0], from[1] * block[0], from[2] * block[1], 1};
            p.out_offset = (py * block[1] + px) * element_count(p.out);
            calls.push_back(pad_call(graph, node, p));
        }
    return calls;
}

void infer_batch_to_space(Graph &graph, const Node &node) {
    const Value in = input(graph, node, 0);
    check_image(node, in);
    const std::vector<int64_t> block = block_pair(node), crop = four(node, "crop");
    Shape shape{divided(node, in, 0, block[0] * block[1]), multiplied(in, 1, block[0]), multiplied(in, 2, block[1]), in.shape[3]};
    for (int d = 0; d < 2; d++) {
        shape[1 + d].extent -= crop[d] + crop[2 + d];
        if (shape[1 + d].extent < 1) mismatch(node, "everything is cropped");
    }
    set_output(graph, node, 0, in, shape);
}

std::vector<KernelCall> lower_batch_to_space(const Graph &graph, const Node &node) {
    const std::vector<int64_t> in = extents(input(graph, node, 0)), out = extents(output(graph, node));
    const std::vector<int64_t> block = block_pair(node), crop = four(node, "crop"), from = dense_strides(in), to = dense_strides(out);
    std::vector<KernelCall> calls;
    for (int64_t py = 0; py < block[0]; py++)
        for (int64_t px = 0; px < block[1]; px++) {
            const Phase y = phase(py, block[0], crop[0], out[1], in[1]), x = phase(px, block[1], crop[1], out[2], in[2]);
            if (y.count < 1 || x.count < 1) continue;  // cropped
            Copy copy{.source = input_id(node, 0), .destination = node.outputs[0], .dimensions = {}};
            copy.from_offset = (py * block[1] + px) * out[0] * from[0] + y.first * from[1] + x.first * from[2];
            copy.to_offset = y.pixel * to[1] + x.pixel * to[2];
            copy.dimensions = {{out[0], from[0], to[0]}, {y.count, from[1], to[1] * block[0]}, {x.count, from[2], to[2] * block[1]}, {in[3], 1, 1}};
            calls.push_back(copy_call(graph, node, copy));
        }
    return calls;
}

}  // namespace emulsion::graph
