// reduce. Sources: TFLite reference MEAN, SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ANY, REDUCE_ALL; ONNX Reduce*.
#include "graph/ops/quantized.h"
#include "graph/ops/rules.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace emulsion::graph {

namespace {

constexpr size_t generator_rank = 4;

std::vector<bool> reduced_dimensions(const Node &node, size_t rank) {
    std::vector<bool> reduced(rank, false);
    const std::vector<int64_t> axes = node.integers("axes");
    for (int64_t a : axes) {
        const int64_t n = static_cast<int64_t>(rank), d = a < 0 ? a + n : a;
        if (d < 0 || d >= n) mismatch(node, fmt::format("axis {} of a tensor of rank {}", a, rank));
        reduced[d] = true;
    }
    if (axes.empty()) reduced.assign(rank, true);
    return reduced;
}

/// The generator's view: runs of reduced and of kept dimensions, innermost first.
struct Runs {
    std::vector<int> in, out;
    int axes = 0;         ///< bit per run
    int64_t count = 1;    ///< elements of one result
};

Runs runs_of(const Node &node, const std::vector<int64_t> &extents) {
    const std::vector<bool> reduced = reduced_dimensions(node, extents.size());
    std::vector<int64_t> run;
    std::vector<bool> kind;
    for (size_t d = extents.size(); d-- > 0;) {
        if (extents[d] == 1) continue;
        if (run.empty() || kind.back() != reduced[d]) {
            run.push_back(1);
            kind.push_back(reduced[d]);
        }
        run.back() *= extents[d];
    }
    if (std::find(kind.begin(), kind.end(), true) == kind.end()) {  // extents of 1 only: a sum of one element
        run.push_back(1);
        kind.push_back(true);
    }
    if (run.size() > generator_rank) unsupported(node, fmt::format("{} separate runs of dimensions", run.size()), "reduce in two steps");
    Runs r;
    for (size_t k = 0; k < generator_rank; k++) {
        const bool is_reduced = k < run.size() && kind[k];
        const int64_t extent = k < run.size() ? run[k] : 1;
        if (is_reduced) r.axes |= 1 << k, r.count *= extent;
        r.in.push_back(innermost_first(node, {extent})[0]);
        r.out.push_back(is_reduced ? 1 : r.in.back());
    }
    return r;
}

/// reduce.h QuantizedMeanOrSum: the multiplier of the scales, and for a mean divided by the count without a new normalisation.
FixedPoint mean_scale(double scale, int64_t count, bool mean) {
    FixedPoint f = fixed_point(scale);
    if (!mean) return f;
    const int exponent = 31 - f.shift;
    const int shift = std::min({63 - std::countl_zero(static_cast<uint64_t>(count)), 32, 31 + exponent});
    return {static_cast<int32_t>((int64_t{f.multiplier} << shift) / count), f.shift + shift};
}

bool is_sum(const std::string &function) { return function == "mean" || function == "sum"; }

}  // namespace

void infer_reduce(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0);
    const std::vector<bool> reduced = reduced_dimensions(node, in.shape.size());
    Shape shape;
    for (size_t d = 0; d < in.shape.size(); d++) {
        if (!reduced[d]) shape.push_back(in.shape[d]);
        else if (node.integer("keep_dimensions")) shape.push_back({.extent = 1});
    }
    set_output(graph, node, 0, in, shape, output(graph, node).quantization.empty());
}

std::vector<KernelCall> lower_reduce(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &out = output(graph, node);
    std::string function = node.text("function");
    if (in.type == DataType::boolean) function = function == "any" ? "max" : function == "all" ? "min" : function;
    const Runs r = runs_of(node, extents(in));
    KernelCall call{.generator = "reduce"};
    auto &p = call.params;
    p["op"] = function;
    p["axes"] = std::to_string(r.axes);
    p["in_type"] = type_name(element_type(node, in));
    p["out_type"] = type_name(element_type(node, out));
    call.arguments = {value_argument(graph, node, "in", input_id(node, 0), r.in), result_argument(graph, node, "out", node.outputs[0], r.out)};
    if (!is_quantized(in) || function == "max" || function == "min") {
        if (is_quantized(in) && in.quantization != out.quantization)
            unsupported(node, "an output of another scale than the input", "requantise after the reduction");
        if (!info(in.type).is_float && !is_quantized(in) && info(in.type).bits < 32 && is_sum(function))
            unsupported(node, fmt::format("{} of {} without a scale", function, info(in.type).name), "convert to int32");
        if (!info(in.type).is_float && function == "mean" && !is_quantized(in))
            unsupported(node, "the mean of integers without a scale", "convert to float");
        return {std::move(call)};
    }
    if (!is_sum(function)) unsupported(node, fmt::format("{} of quantised integers", function), "dequantise before this node");
    if (info(in.type).bits == 16) unsupported(node, "sums of 16-bit integers", "use 8-bit activations in this node");
    p["in_zero"] = std::to_string(zero_point_of(node, in));
    p["out_zero"] = std::to_string(zero_point_of(node, out));
    const FixedPoint f = mean_scale(static_cast<double>(scale_of(node, in)) / static_cast<double>(scale_of(node, out)), r.count, function == "mean");
    call.scalars = {{"multiplier", f.multiplier}, {"shift", f.shift}};
    return {std::move(call)};
}

}  // namespace emulsion::graph
