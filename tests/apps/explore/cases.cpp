#include "tests/apps/explore/cases.h"

namespace emulsion::explore {
namespace {

using Params = std::map<std::string, std::string>;

CompileRequest request(const char *generator, Params params, std::map<std::string, std::vector<int>> shapes) {
    CompileRequest r;
    r.generator = generator;
    r.params = std::move(params);
    r.shapes = std::move(shapes);
    return r;
}

CompileRequest conv(int kernel, int stride, int pad, int ci, int x, int co) {
    const int out = (x + 2 * pad - kernel) / stride + 1;
    const std::string k = std::to_string(kernel), s = std::to_string(stride), p = std::to_string(pad);
    return request("conv2d", {{"kernel_x", k}, {"kernel_y", k}, {"stride_x", s}, {"stride_y", s}, {"pad_x", p}, {"pad_y", p}},
                   {{"in", {ci, x, x, 1}}, {"weights", {co, ci, kernel, kernel}}, {"out", {co, out, out, 1}}, {"bias", {co}}, {"multiplier", {co}}, {"shift", {co}}});
}

CompileRequest depthwise(int stride, int c, int x) {
    const int out = (x + 2 - 3) / stride + 1;
    return request("depthwise_conv2d", {{"stride_x", std::to_string(stride)}, {"stride_y", std::to_string(stride)}, {"pad_x", "1"}, {"pad_y", "1"}},
                   {{"in", {c, x, x, 1}}, {"weights", {c, 3, 3}}, {"out", {c, out, out, 1}}, {"bias", {c}}, {"multiplier", {c}}, {"shift", {c}}});
}

CompileRequest matmul(int n, int m, int k) {
    return request("matmul", {}, {{"a", {k, m}}, {"b", {n, k}}, {"out", {n, m}}, {"bias", {n}}, {"multiplier", {n}}, {"shift", {n}}});
}

CompileRequest dense(int n, int m, int k) {
    return request("fully_connected", {}, {{"in", {k, m}}, {"weights", {k, n}}, {"out", {n, m}}, {"bias", {n}}, {"multiplier", {n}}, {"shift", {n}}});
}

CompileRequest pool(const char *generator, int c, int x) {
    return request(generator, {{"kernel_x", "2"}, {"kernel_y", "2"}, {"stride_x", "2"}, {"stride_y", "2"}}, {{"in", {c, x, x, 1}}, {"out", {c, x / 2, x / 2, 1}}});
}

CompileRequest add(int x, int y) { return request("add", {{"rank", "2"}}, {{"a", {x, y}}, {"b", {x, y}}, {"out", {x, y}}}); }

CompileRequest softmax(int n, int rows) { return request("softmax", {}, {{"in", {n, rows}}, {"out", {n, rows}}, {"table", {256}}}); }

CompileRequest blur(int x, int y) { return request("gaussian_blur", {}, {{"in", {x, y}}, {"out", {x, y}}}); }

}  // namespace

const std::vector<Case> &small_cases() {
    static const std::vector<Case> cases = {
        {"conv 1x1", conv(1, 1, 0, 16, 6, 32), "mobile"},
        {"conv 3x3", conv(3, 1, 1, 8, 6, 16), "mobile"},
        {"conv 3x3 stride 2", conv(3, 2, 1, 8, 9, 16), "mobile"},
        {"conv 1x1 many channels", conv(1, 1, 0, 160, 3, 192), "mobile"},
        {"conv 3x3 edge", conv(3, 1, 1, 16, 5, 24), "edge-256"},
        {"depthwise", depthwise(1, 24, 8), "mobile"},
        {"depthwise stride 2", depthwise(2, 96, 8), "mobile"},
        {"depthwise edge", depthwise(1, 32, 7), "edge-256"},
        {"matmul", matmul(64, 12, 96), "mobile"},
        {"matmul wide", matmul(160, 8, 64), "mobile"},
        {"matmul edge", matmul(48, 10, 40), "edge-256"},
        {"dense", dense(128, 8, 128), "mobile"},
        {"dense one row", dense(320, 1, 192), "mobile"},
        {"dense edge", dense(64, 4, 48), "edge-256"},
        {"max pool", pool("max_pool", 24, 12), "mobile"},
        {"max pool channels", pool("max_pool", 192, 8), "mobile"},
        {"average pool", pool("average_pool", 32, 12), "mobile"},
        {"add", add(512, 12), "mobile"},
        {"add edge", add(256, 10), "edge-256"},
        {"softmax", softmax(100, 24), "mobile"},
        {"softmax edge", softmax(40, 18), "edge-256"},
        {"blur", blur(512, 24), "mobile"},
        {"blur edge", blur(256, 16), "edge-256"},
    };
    return cases;
}

std::unique_ptr<Problem> problem_of(const Case &c) { return make_problem(c.request, load_target(c.target)); }

std::vector<std::pair<Point, Outcome>> brute_force(const Problem &problem) {
    std::vector<std::pair<Point, Outcome>> all;
    problem.space.each([&](const Point &p) { all.emplace_back(p, evaluate(problem, p)); });
    return all;
}

}  // namespace emulsion::explore
