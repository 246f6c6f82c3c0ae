// Normalisation and softmax.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

/// Dimension 1 as the last one.
Ints channels_last(int64_t rank) {
    Ints p{0};
    for (int64_t d = 2; d < rank; d++) p.push_back(d);
    p.push_back(1);
    return p;
}
Ints channels_first(int64_t rank) {
    Ints p{0, rank - 1};
    for (int64_t d = 1; d < rank - 1; d++) p.push_back(d);
    return p;
}

/// One number per channel against N C spatial.
ValueId per_channel(Op &op, ValueId v, int64_t rank) {
    Ints shape(static_cast<size_t>(rank - 1), 1);
    shape[0] = op.elements(v);
    return op.reshape(v, shape);
}

double epsilon(Op &op) { return op.attributes.real("epsilon", static_cast<double>(1e-5f)); }

void batch_norm(Op &op) {
    const ValueId x = op.in(0), gamma = op.in(1), beta = op.in(2), mean = op.in(3), variance = op.in(4);
    const int64_t rank = op.rank(x);
    if (op.attributes.integer("training_mode") || op.wants(1)) op.unsupported("training");
    if (rank < 2) op.refuse("an input without channels");
    const std::vector<ValueId> parameters{gamma, beta, mean, variance};
    if (std::all_of(parameters.begin(), parameters.end(), [&](ValueId v) { return op.is_constant(v); })) {
        const ValueId turned = rank == 2 ? x : op.transpose(x, channels_last(rank));
        const ValueId y = op.make("batch_norm", {turned, gamma, beta, mean, variance}, {{"epsilon", epsilon(op)}});
        return op.result(rank == 2 ? y : op.transpose(y, channels_first(rank)));
    }
    const ValueId scale = op.div(gamma, op.unary("sqrt", op.add(variance, op.like(variance, epsilon(op))))), offset = op.sub(beta, op.mul(mean, scale));
    op.result(op.add(op.mul(x, per_channel(op, op.cast(scale, op.type(x)), rank)), per_channel(op, op.cast(offset, op.type(x)), rank)));
}

void instance_norm(Op &op) {
    const ValueId x = op.in(0);
    const int64_t rank = op.rank(x);
    if (rank < 3) op.refuse("an input without spatial dimensions");
    op.result(op.transpose(op.make("instance_norm", {op.transpose(x, channels_last(rank)), op.in(1), op.in(2)}, {{"epsilon", epsilon(op)}}), channels_first(rank)));
}

void group_norm(Op &op) {
    const ValueId x = op.in(0);
    const Ints e = op.extents(x);
    const int64_t groups = op.attributes.integer("num_groups");
    if (e.size() < 3 || groups < 1 || e[1] % groups != 0) op.refuse(fmt::format("{} groups", groups));
    if (op.elements(op.in(1)) != e[1]) op.unsupported("a scale per group");
    const ValueId normal = op.reshape(op.make("layer_norm", {op.reshape(x, {e[0] * groups, -1})}, {{"axis", int64_t{-1}}, {"epsilon", epsilon(op)}}), e);
    op.result(op.add(op.mul(normal, per_channel(op, op.in(1), std::ssize(e))), per_channel(op, op.in(2), std::ssize(e))));
}

Ints from_axis(int64_t axis, int64_t rank) {
    Ints axes;
    for (int64_t d = axis; d < rank; d++) axes.push_back(d);
    return axes;
}

/// Mean and reciprocal deviation, for models that ask for them.
void statistics(Op &op, ValueId x, const Ints &axes) {
    const ValueId real = op.cast(x, DataType::f32), mean = op.reduce("mean", real, axes, true), centred = op.sub(real, mean);
    const ValueId variance = op.reduce("mean", op.mul(centred, centred), axes, true);
    if (op.wants(1)) op.result(1, mean);
    if (op.wants(2)) op.result(2, op.unary("reciprocal", op.unary("sqrt", op.add(variance, op.like(variance, epsilon(op))))));
}

/// A parameter for every element behind the axis.
ValueId parameter(Op &op, size_t k, const Ints &inner) { return op.has(k) ? op.broadcast(op.in(k), inner) : no_value; }

void layer_norm(Op &op) {
    const ValueId x = op.in(0);
    const int64_t rank = op.rank(x), axis = op.axis(op.attributes.integer("axis", -1), rank);
    const Ints e = op.extents(x), inner(e.begin() + axis, e.end());
    std::vector<ValueId> in{x, parameter(op, 1, inner)};
    if (op.has(2)) in.push_back(parameter(op, 2, inner));
    op.result(op.make("layer_norm", in, {{"axis", axis}, {"epsilon", epsilon(op)}}));
    if (op.wants(1) || op.wants(2)) statistics(op, x, from_axis(axis, rank));
}

/// Without a mean: x / sqrt(mean of squares + epsilon) * scale, in float32.
void rms_norm(Op &op) {
    const ValueId x = op.in(0), real = op.cast(x, DataType::f32);
    const int64_t rank = op.rank(x), axis = op.axis(op.attributes.integer("axis", -1), rank);
    const ValueId squares = op.reduce("mean", op.mul(real, real), from_axis(axis, rank), true);
    const ValueId root = op.unary("sqrt", op.add(squares, op.like(squares, epsilon(op))));
    op.result(op.mul(op.cast(op.div(real, root), op.type(x)), op.in(1)));
}

void lp_norm(Op &op) {
    const ValueId x = op.in(0);
    op.result(op.make("lp_norm", {x}, {{"axis", op.axis(op.attributes.integer("axis", -1), op.rank(x))}, {"p", op.attributes.integer("p", 2)}, {"epsilon", 0.0}}));
}

void mean_variance(Op &op) {
    const ValueId x = op.in(0);
    const Ints axes = op.axes(op.attributes.integers("axes", {0, 2, 3}), op.rank(x));
    const ValueId mean = op.reduce("mean", x, axes, true), centred = op.sub(x, mean), variance = op.reduce("mean", op.mul(centred, centred), axes, true);
    op.result(op.div(centred, op.add(op.unary("sqrt", variance), op.like(x, 1e-9))));
}

/// Before opset 13 all dimensions from the axis on are one.
void along_axis(Op &op, const char *name) {
    const ValueId x = op.in(0);
    const int64_t rank = op.rank(x), axis = op.axis(op.attributes.integer("axis", op.opset < 13 ? 1 : -1), rank);
    if (op.opset < 13 && axis != rank - 1) {
        const Ints e = op.extents(x);
        const ValueId rows = op.reshape(x, {element_count(Ints(e.begin(), e.begin() + axis)), element_count(Ints(e.begin() + axis, e.end()))});
        return op.result(op.reshape(op.make(name, {rows}, {{"axis", int64_t{-1}}}), e));
    }
    op.result(op.along_last(name, x, axis));
}

}  // namespace

std::vector<OperatorRow> normalization_rows() {
    return {{"BatchNormalization", batch_norm},
            {"GroupNormalization", group_norm},
            {"InstanceNormalization", instance_norm},
            {"LayerNormalization", layer_norm},
            {"LogSoftmax", [](Op &op) { along_axis(op, "log_softmax"); }},
            {"LpNormalization", lp_norm},
            {"MeanVarianceNormalization", mean_variance},
            {"RMSNormalization", rms_norm},
            {"Softmax", [](Op &op) { along_axis(op, "softmax"); }}};
}

}  // namespace emulsion::graph::onnx_import
