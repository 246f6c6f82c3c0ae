// Reductions, arg-reductions, cumulative operators.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

/// The graph's operator takes four runs of dimensions: more are reduced one after the other by the caller's choice of function.
void reduce(Op &op, const char *function) {
    const ValueId x = std::string_view(function) == "max" || std::string_view(function) == "min" ? op.raw(0) : op.in(0);
    Ints axes = op.numbers_or(1, "axes");
    const bool keep = op.attributes.integer("keepdims", 1);
    if (axes.empty() && op.attributes.integer("noop_with_empty_axes")) {
        // No dimension is reduced: every element is a sum of one.
        const ValueId alone = op.reshape(x, [&] { Ints e = op.extents(x); e.push_back(1); return e; }());
        return op.result(op.reduce(function, alone, {op.rank(x)}, false));
    }
    axes = op.axes(axes, op.rank(x));
    if (axes.empty())
        for (int64_t d = 0; d < op.rank(x); d++) axes.push_back(d);
    if (op.rank(x) == 0) return op.result(op.reshape(op.reduce(function, op.reshape(x, {1}), {0}, true), {}));
    op.result(op.reduce(function, x, axes, keep));
}

void arg_reduce(Op &op, const char *function) {
    const ValueId x = op.in(0);
    op.result(op.make("arg_reduce", {x},
                      {{"function", std::string(function)}, {"axis", op.axis(op.attributes.integer("axis"), op.rank(x))},
                       {"keep_dimensions", op.attributes.integer("keepdims", 1)}, {"last", op.attributes.integer("select_last_index")}}, DataType::i64));
}

void cumulative_sum(Op &op) {
    const ValueId x = op.in(0);
    op.result(op.make("cumulative_sum", {x},
                      {{"axis", op.axis(op.integer(op.raw(1)), op.rank(x))}, {"exclusive", op.attributes.integer("exclusive")}, {"reverse", op.attributes.integer("reverse")}}));
}

constexpr int64_t most_steps = 256;

/// Products one after the other.
void cumulative_product(Op &op) {
    const ValueId x = op.in(0);
    const int64_t axis = op.axis(op.integer(op.raw(1)), op.rank(x)), n = op.extent(x, axis);
    if (n > most_steps) op.unsupported(fmt::format("more than {} products in a row", most_steps));
    const bool reverse = op.attributes.integer("reverse"), exclusive = op.attributes.integer("exclusive");
    std::vector<ValueId> parts(static_cast<size_t>(n));
    Ints one = op.extents(x);
    one[static_cast<size_t>(axis)] = 1;
    ValueId product = op.broadcast(op.like(x, 1), one);
    for (int64_t k = 0; k < n; k++) {
        const int64_t at = reverse ? n - 1 - k : k;
        const ValueId next = op.mul(product, op.part(x, axis, at, at + 1));
        parts[static_cast<size_t>(at)] = exclusive ? product : next;
        product = next;
    }
    op.result(op.concat(parts, axis));
}

}  // namespace

std::vector<OperatorRow> reduction_rows() {
    return {
        {"ArgMax", [](Op &op) { arg_reduce(op, "max"); }},
        {"ArgMin", [](Op &op) { arg_reduce(op, "min"); }},
        {"CumProd", cumulative_product},
        {"CumSum", cumulative_sum},
        {"ReduceL1", [](Op &op) { reduce(op, "l1"); }},
        {"ReduceL2", [](Op &op) { reduce(op, "l2"); }},
        {"ReduceLogSum", [](Op &op) { reduce(op, "log_sum"); }},
        {"ReduceLogSumExp", [](Op &op) { reduce(op, "log_sum_exp"); }},
        {"ReduceMax", [](Op &op) { reduce(op, "max"); }},
        {"ReduceMean", [](Op &op) { reduce(op, "mean"); }},
        {"ReduceMin", [](Op &op) { reduce(op, "min"); }},
        {"ReduceProd", [](Op &op) { reduce(op, "prod"); }},
        {"ReduceSum", [](Op &op) { reduce(op, "sum"); }},
        {"ReduceSumSquare", [](Op &op) { reduce(op, "sum_square"); }},
    };
}

}  // namespace emulsion::graph::onnx_import
