#include "apps/bench/kernels.h"

namespace emulsion::bench {
namespace {

using Params = std::map<std::string, std::string>;
using Shapes = std::map<std::string, std::vector<int>>;

CompileRequest request(const char *generator, Params params, Shapes shapes) {
    return {.generator = generator, .params = std::move(params), .shapes = std::move(shapes), .scalars = {}, .parts = {}, .function_name = {}};
}

CompileRequest matmul(int n, int m, int k, Params params) {
    return request("matmul", std::move(params),
                   {{"a", {k, m}}, {"b", {n, k}}, {"out", {n, m}}, {"bias", {n}}, {"multiplier", {n}}, {"shift", {n}}});
}

CompileRequest conv(int kernel, int pad, int x, int ci, int co, Params params) {
    params["kernel_x"] = params["kernel_y"] = std::to_string(kernel);
    params["pad_x"] = params["pad_y"] = std::to_string(pad);
    return request("conv2d", std::move(params),
                   {{"in", {ci, x, x, 1}}, {"weights", {co, ci, kernel, kernel}}, {"out", {co, x, x, 1}}, {"bias", {co}},
                    {"multiplier", {co}}, {"shift", {co}}});
}

CompileRequest depthwise(int x, int c, Params params) {
    params["pad_x"] = params["pad_y"] = "1";
    return request("depthwise_conv2d", std::move(params),
                   {{"in", {c, x, x, 1}}, {"weights", {c, 3, 3}}, {"out", {c, x, x, 1}}, {"bias", {c}}, {"multiplier", {c}}, {"shift", {c}}});
}

CompileRequest image(const char *generator) { return request(generator, {}, {{"in", {1920, 1080}}, {"out", {1920, 1080}}}); }

// Schedules found with `emulsion bench kernels --param`; the defaults fit any shape and are slower.
// Moving both operands and the result once takes 30,720 cycles, the array 32,768: what is not overlapped at the start and at
// the end of the program cannot be won back.
const Params matmul_mobile = {{"tile_n", "384"}, {"tile_m", "256"}, {"tile_k", "128"}, {"b_at", "once"}, {"a_at", "once"}, {"depth", "2"}};
const Params conv_mobile = {{"tile_c", "64"}, {"tile_x", "56"}, {"tile_y", "2"}, {"weights_at", "root"}, {"in_at", "tile"}, {"depth", "3"}};
const Params pointwise_mobile = {{"tile_c", "256"}, {"tile_x", "56"}, {"tile_y", "1"}, {"weights_at", "root"}, {"in_at", "tile"}, {"depth", "4"}};
const Params pointwise_edge = {{"tile_c", "256"}, {"tile_x", "28"}, {"tile_y", "2"}, {"weights_at", "root"}, {"in_at", "tile"}, {"depth", "3"}};
const Params depthwise_edge = {{"tile_c", "64"}, {"tile_x", "28"}, {"tile_y", "8"}, {"depth", "3"}};

}  // namespace

const std::vector<Kernel> &kernels() {
    static const std::vector<Kernel> list = {
        {"matmul int8 512x512x512", "mobile", matmul(512, 512, 512, matmul_mobile), Bound::mac, 0.90},
        {"conv 3x3 56x56x64->64", "mobile", conv(3, 1, 56, 64, 64, conv_mobile), Bound::mac, 0.90},
        // Bound by memory: its output alone takes 31,360 cycles at 25.6 B/cycle, its multiplications 12,544.
        {"conv 1x1 56x56x64->256", "mobile", conv(1, 0, 56, 64, 256, pointwise_mobile), Bound::mac, 0.90},
        {"conv 1x1 56x56x64->256", "mobile", conv(1, 0, 56, 64, 256, pointwise_mobile), Bound::roofline, 0.90},
        {"depthwise 3x3 56x56x128", "mobile", depthwise(56, 128, {}), Bound::roofline, 0.85},
        {"gaussian_blur 1920x1080", "mobile", image("gaussian_blur"), Bound::roofline, 0.80},
        {"sobel 1920x1080", "mobile", image("sobel"), Bound::roofline, 0.80},
        {"matmul int8 512x512x512", "edge-256", matmul(512, 512, 512, {}), Bound::mac, 0.85},
        {"conv 3x3 56x56x64->64", "edge-256", conv(3, 1, 56, 64, 64, {}), Bound::mac, 0.85},
        {"conv 1x1 56x56x64->256", "edge-256", conv(1, 0, 56, 64, 256, pointwise_edge), Bound::mac, 0.85},
        {"depthwise 3x3 56x56x128", "edge-256", depthwise(56, 128, depthwise_edge), Bound::roofline, 0.85},
    };
    return list;
}

std::vector<Kernel> double_buffer_kernels() {
    Params narrow = pointwise_mobile;
    narrow["tile_x"] = "28";
    return {{"conv 1x1 56x56x64->256, tiles 28 wide", "mobile", conv(1, 0, 56, 64, 256, narrow), Bound::roofline, 0},
            {"conv 1x1 56x56x64->256, tiles 56 wide", "mobile", conv(1, 0, 56, 64, 256, pointwise_mobile), Bound::roofline, 0},
            {"depthwise 3x3 56x56x128", "mobile", depthwise(56, 128, {}), Bound::roofline, 0}};
}

}  // namespace emulsion::bench
