#include "apps/bench/kernels.h"

namespace emulsion::bench {
namespace {

using Params = std::map<std::string, std::string>;
using Shapes = std::map<std::string, std::vector<int>>;

CompileRequest request(const char *generator, Params params, Shapes shapes) {
    return {.generator = generator, .params = std::move(params), .shapes = std::move(shapes), .function_name = {}};
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

}  // namespace

const std::vector<Kernel> &kernels() {
    static const std::vector<Kernel> list = {
        {"matmul int8 512x512x512", "mobile", matmul(512, 512, 512, {}), Bound::mac, 0.90},
        {"conv 3x3 56x56x64->64", "mobile", conv(3, 1, 56, 64, 64, {}), Bound::mac, 0.90},
        {"conv 1x1 56x56x64->256", "mobile", conv(1, 0, 56, 64, 256, {}), Bound::mac, 0.90},
        {"conv 1x1 56x56x64->256", "mobile", conv(1, 0, 56, 64, 256, {}), Bound::roofline, 0.90},
        {"depthwise 3x3 56x56x128", "mobile", depthwise(56, 128, {}), Bound::roofline, 0.85},
        {"gaussian_blur 1920x1080", "mobile", image("gaussian_blur"), Bound::roofline, 0.80},
        {"sobel 1920x1080", "mobile", image("sobel"), Bound::roofline, 0.80},
        {"matmul int8 512x512x512", "edge-256", matmul(512, 512, 512, {}), Bound::mac, 0.85},
        {"conv 3x3 56x56x64->64", "edge-256", conv(3, 1, 56, 64, 64, {}), Bound::mac, 0.85},
        {"conv 1x1 56x56x64->256", "edge-256", conv(1, 0, 56, 64, 256, {}), Bound::mac, 0.85},
        {"depthwise 3x3 56x56x128", "edge-256", depthwise(56, 128, {}), Bound::roofline, 0.85},
    };
    return list;
}

}  // namespace emulsion::bench
