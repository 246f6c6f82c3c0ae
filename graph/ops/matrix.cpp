// fully_connected and matmul. Sources: TFLite reference FULLY_CONNECTED, BATCH_MATMUL; ONNX MatMul, Gemm, QLinearMatMul, MatMulInteger.
#include "graph/ops/broadcast.h"
#include "graph/ops/contraction.h"
#include "graph/ops/rules.h"

#include <fmt/format.h>

namespace emulsion::graph {

namespace {

ValueId bias_of(const Node &node) { return node.inputs.size() > 2 ? node.inputs[2] : no_value; }

int64_t product(const Shape &shape, size_t from, size_t to) {
    int64_t n = 1;
    for (size_t d = from; d < to; d++) n *= shape[d].extent;
    return n;
}

/// The matrices of a matmul: rows, columns and the batch dimensions before them.
struct Operand {
    Shape batch;
    Dimension rows, columns;
};

Operand operand(const Graph &graph, const Node &node, size_t k, const char *transposed) {
    const Value &v = input(graph, node, k);
    if (v.shape.size() < 2) mismatch(node, fmt::format("operand {} of rank {}", k, v.shape.size()));
    Operand o{.batch = {v.shape.begin(), v.shape.end() - 2}, .rows = v.shape[v.shape.size() - 2], .columns = v.shape.back()};
    if (node.integer(transposed)) std::swap(o.rows, o.columns);
    return o;
}

int64_t count(const Shape &batch) { return product(batch, 0, batch.size()); }

/// Gemm's factors are folded into constants: alpha into b, beta into the bias.
std::vector<uint8_t> scaled(const Node &node, const Value &v, double factor) {
    if (!v.is_constant() || v.type != DataType::f32) unsupported(node, fmt::format("a factor of {} on a computed operand", factor), "multiply beforehand");
    std::vector<float> values = constant_floats(v);
    for (float &x : values) x *= static_cast<float>(factor);
    return bytes_from(values);
}

}  // namespace

void infer_fully_connected(Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &weights = input(graph, node, 1);
    const auto w = extents(weights);
    if (w.size() != 2) mismatch(node, fmt::format("weights of rank {}, not (N, K)", w.size()));
    if (in.shape.empty()) mismatch(node, "an input of rank 0");
    Shape shape;
    if (node.integer("keep_dimensions")) {
        if (in.shape.back().is_static() && in.shape.back().extent != w[1]) mismatch(node, fmt::format("{} inputs, the weights take {}", in.shape.back().extent, w[1]));
        shape = in.shape;
        shape.back() = {.extent = w[0]};
    } else {
        const Dimension *symbolic = nullptr;
        for (const Dimension &d : in.shape)
            if (!d.is_static()) symbolic = &d;
        Dimension rows;
        if (symbolic) {
            // The symbol counts rows where the rest of the shape is one row.
            rows = product(in.shape, 1, in.shape.size()) == w[1] && symbolic == &in.shape[0] ? *symbolic : Dimension{-1, node.name + ".rows"};
        } else {
            const int64_t elements = product(in.shape, 0, in.shape.size());
            if (w[1] < 1 || elements % w[1] != 0) mismatch(node, fmt::format("{} inputs, the weights take {}", elements, w[1]));
            rows = {.extent = elements / w[1]};
        }
        shape = {rows, {.extent = w[0]}};
    }
    Value &out = output(graph, node);
    out.type = contraction_type(in, out);
    out.shape = shape;
}

std::vector<KernelCall> lower_fully_connected(const Graph &graph, const Node &node) {
    const Value &in = input(graph, node, 0), &weights = input(graph, node, 1), &out = output(graph, node);
    const auto w = extents(weights);
    const int64_t rows = element_count(extents(in)) / w[1];
    KernelCall call{.generator = "fully_connected"};
    call.arguments.push_back(value_argument(graph, node, "in", input_id(node, 0), innermost_first(node, {rows, w[1]})));
    call.arguments.push_back(weights_argument(graph, node, "weights", input_id(node, 1), innermost_first(node, w)));
    add_output_stage(call, graph, node,
                     {.in = in, .weights = weights, .out = out, .bias = bias_of(node), .channels = static_cast<int>(w[0]), .products = w[1],
                      .rounding = node.text("rounding", "half_away"), .product_in_float = true});
    call.arguments.push_back(result_argument(graph, node, "out", node.outputs[0], innermost_first(node, {rows, w[0]})));
    return {std::move(call)};
}

void infer_matmul(Graph &graph, const Node &node) {
    const Operand a = operand(graph, node, 0, "transpose_a"), b = operand(graph, node, 1, "transpose_b");
    if (a.columns.is_static() && b.rows.is_static() && a.columns.extent != b.rows.extent)
        mismatch(node, fmt::format("{} columns times {} rows", a.columns.extent, b.rows.extent));
    Shape shape = broadcast_shape(node, {a.batch, b.batch});
    shape.push_back(a.rows);
    shape.push_back(b.columns);
    Value &out = output(graph, node);
    out.type = contraction_type(input(graph, node, 0), out);
    out.shape = shape;
}

std::vector<KernelCall> lower_matmul(const Graph &graph, const Node &node) {
    const Operand a = operand(graph, node, 0, "transpose_a"), b = operand(graph, node, 1, "transpose_b");
    const Value &va = input(graph, node, 0), &vb = input(graph, node, 1), &out = output(graph, node);
    const bool transpose_a = node.integer("transpose_a"), transpose_b = node.integer("transpose_b");
    extents(va), extents(vb);  // static from here on
    int64_t rows = a.rows.extent, batch = count(a.batch), batch_b = count(b.batch);
    const int64_t k = a.columns.extent, n = b.columns.extent;
    if (batch_b == 1 && !transpose_a) {
        rows *= batch;
        batch = 1;
    }
    if (batch != batch_b && batch != 1 && batch_b != 1)
        unsupported(node, fmt::format("batches of {} and {} matrices that broadcast both ways", batch, batch_b), "broadcast one operand beforehand");
    const int64_t pairs = std::max(batch, batch_b);

    KernelCall call{.generator = "batch_matmul"};
    auto &p = call.params;
    p["transposed_a"] = transpose_a ? "true" : "false";
    p["transposed"] = transpose_b ? "true" : "false";
    p["one_a"] = batch == 1 && pairs > 1 ? "true" : "false";
    p["one_b"] = batch_b == 1 && pairs > 1 ? "true" : "false";
    call.arguments.push_back(value_argument(graph, node, "a", input_id(node, 0), innermost_first(node, transpose_a ? std::vector{batch, k, rows} : std::vector{batch, rows, k})));
    const std::vector<int> extents_b = innermost_first(node, transpose_b ? std::vector{batch_b, n, k} : std::vector{batch_b, k, n});
    const double alpha = node.real("alpha", 1), beta = node.real("beta", 1);
    call.arguments.push_back(alpha == 1 ? weights_argument(graph, node, "b", input_id(node, 1), extents_b)
                                        : data_argument("b", ElementType::f32, extents_b, scaled(node, vb, alpha)));
    ValueId bias = beta == 0 ? no_value : bias_of(node);
    const bool spread = bias != no_value && (beta != 1 || element_count(extents(graph.value(bias))) == 1) && n > 1;
    add_output_stage(call, graph, node,
                     {.in = va, .weights = vb, .out = out, .bias = spread ? no_value : bias, .channels = static_cast<int>(n), .products = k,
                      .rounding = node.text("rounding", "double"), .product_in_float = true});
    if (spread) {
        // A factor, or one number for all columns.
        const Value &v = graph.value(bias);
        std::vector<uint8_t> bytes = scaled(node, v, beta), all;
        while (static_cast<int64_t>(all.size()) < n * 4) all.insert(all.end(), bytes.begin(), bytes.end());
        if (static_cast<int64_t>(all.size()) != n * 4) mismatch(node, fmt::format("a bias of {} B for {} columns", bytes.size(), n));
        p["with_bias"] = "true";
        call.arguments.push_back(data_argument("bias", ElementType::f32, {static_cast<int>(n)}, std::move(all)));
    }
    call.arguments.push_back(result_argument(graph, node, "out", node.outputs[0], innermost_first(node, {pairs, rows, n})));
    return {std::move(call)};
}

}  // namespace emulsion::graph
