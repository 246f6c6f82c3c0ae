// Losses of classifiers: N C and spatial dimensions, a class per element.
#include "graph/import/onnx/operator_import.h"

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

/// Every class that counts as a row of 0 and 1 (times its weight) along dimension 1; an ignored class as zeros.
ValueId chosen(Op &op, ValueId like, ValueId classes) {
    ValueId target = classes;
    if (op.attributes.has("ignore_index")) {
        const ValueId ignored = op.constant(op.type(target), {}, Ints{op.attributes.integer("ignore_index")}), none = op.constant(op.type(target), {}, Ints{-1});
        target = op.where(op.compare("equal", target, ignored), none, target);
    }
    const ValueId hot = op.make("one_hot", {target}, {{"depth", op.extent(like, 1)}, {"axis", int64_t{1}}}, op.type(like));
    if (!op.has(2)) return hot;
    Ints shape(static_cast<size_t>(op.rank(like)), 1);
    shape[1] = op.elements(op.in(2));
    return op.mul(hot, op.reshape(op.in(2), shape));
}

void reduce_loss(Op &op, ValueId logarithms, ValueId classes) {
    const ValueId weights = chosen(op, logarithms, classes);
    const ValueId losses = op.unary("neg", op.reduce("sum", op.mul(logarithms, weights), {1}, false));
    const std::string reduction = op.attributes.text("reduction", "mean");
    if (reduction == "none") return op.result(losses);
    const ValueId sum = op.reduce("sum", losses, {}, false);
    op.result(reduction == "sum" ? sum : op.div(sum, op.reduce("sum", weights, {}, false)));
}

void check_ranks(Op &op) {
    if (op.rank(op.in(0)) < 2 || op.rank(op.in(1)) != op.rank(op.in(0)) - 1) op.refuse("its classes do not fit its scores");
}

void negative_log_likelihood(Op &op) {
    check_ranks(op);
    reduce_loss(op, op.in(0), op.in(1));
}

void softmax_cross_entropy(Op &op) {
    check_ranks(op);
    const ValueId logarithms = op.along_last("log_softmax", op.in(0), 1);
    reduce_loss(op, logarithms, op.in(1));
    if (op.wants(1)) op.result(1, logarithms);
}

}  // namespace

std::vector<OperatorRow> loss_rows() { return {{"NegativeLogLikelihoodLoss", negative_log_likelihood}, {"SoftmaxCrossEntropyLoss", softmax_cross_entropy}}; }

}  // namespace emulsion::graph::onnx_import
