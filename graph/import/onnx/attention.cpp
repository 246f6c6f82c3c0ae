// Attention, RotaryEmbedding and gated units, of elementary operators.
#include "graph/import/onnx/operator_import.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// batch, rows, heads * size  ->  batch, heads, rows, size.
ValueId by_head(Op &op, ValueId v, const char *attribute) {
    if (op.rank(v) == 4) return v;
    if (op.rank(v) != 3) op.refuse("an operand of neither three nor four dimensions");
    const Ints e = op.extents(v);
    const int64_t heads = op.attributes.integer(attribute);
    if (heads < 1 || e[2] % heads != 0) op.refuse(fmt::format("{} heads of {} elements", heads, e[2]));
    return op.transpose(op.reshape(v, {e[0], e[1], heads, e[2] / heads}), {0, 2, 1, 3});
}

/// Every head of keys and values serves several of the queries.
ValueId repeated_heads(Op &op, ValueId v, int64_t heads) {
    const Ints e = op.extents(v);
    if (e[1] == heads) return v;
    if (e[1] < 1 || heads % e[1] != 0) op.refuse(fmt::format("{} query heads on {} key heads", heads, e[1]));
    return op.reshape(op.broadcast(op.reshape(v, {e[0], e[1], 1, e[2], e[3]}), {e[0], e[1], heads / e[1], e[2], e[3]}), {e[0], heads, e[2], e[3]});
}

struct Extents {
    int64_t batch, queries, keys, past;
};

/// 0 where a query may see a key, else -infinity: by order, window and the number of valid keys of each batch. Constant.
ValueId order_mask(Op &op, const Extents &x) {
    const bool causal = op.attributes.integer("is_causal");
    const int64_t left = op.attributes.integer("left_window_size", -1), right = op.attributes.integer("right_window_size", -1);
    const Ints valid = op.numbers_in(6);
    if (!causal && left < 0 && right < 0 && valid.empty()) return no_value;
    if (!valid.empty() && std::ssize(valid) != x.batch) op.refuse("not a length for every batch");
    const int64_t batches = valid.empty() ? 1 : x.batch;
    if (x.queries * x.keys > (1 << 24) / batches) op.unsupported("a mask of this size");
    std::vector<double> mask;
    for (int64_t b = 0; b < batches; b++) {
        const int64_t offset = valid.empty() ? x.past : valid[static_cast<size_t>(b)] - x.queries;
        for (int64_t i = 0; i < x.queries; i++)
            for (int64_t j = 0; j < x.keys; j++) {
                const int64_t back = i + offset - j;
                const bool seen = (!causal || back >= 0) && (left < 0 || back <= left) && (right < 0 || -back <= right) && (valid.empty() || j < valid[static_cast<size_t>(b)]);
                mask.push_back(seen ? 0 : -infinity);
            }
    }
    return op.constant(DataType::f32, {batches, 1, x.queries, x.keys}, mask);
}

/// The mask that the model gives, as numbers to add, as wide as there are keys.
ValueId given_mask(Op &op, const Extents &x) {
    if (!op.has(3)) return no_value;
    ValueId mask = op.in(3);
    if (op.type(mask) == DataType::boolean) mask = op.where(mask, op.constant(DataType::f32, {}, std::vector<double>{0}), op.constant(DataType::f32, {}, std::vector<double>{-infinity}));
    mask = op.cast(mask, DataType::f32);
    const int64_t last = op.rank(mask) - 1;
    if (last < 0) op.refuse("a mask without dimensions");
    const int64_t missing = x.keys - op.extent(mask, last);
    if (missing <= 0) return mask;
    Ints shape = op.extents(mask);
    shape[static_cast<size_t>(last)] = missing;
    return op.concat({mask, op.broadcast(op.constant(DataType::f32, {}, std::vector<double>{-infinity}), shape)}, last);
}

/// Rows that see no key are 0.
ValueId probabilities(Op &op, ValueId scores, ValueId bias) {
    const ValueId p = op.along_last("softmax", scores, op.rank(scores) - 1);
    if (bias == no_value) return p;
    const ValueId largest = op.reduce("max", bias, {op.rank(bias) - 1}, true);
    return op.where(op.compare("equal", largest, op.like(largest, -infinity)), op.like(p, 0), p);
}

void attention(Op &op) {
    const ValueId raw_q = op.in(0);
    const DataType type = op.type(raw_q);
    const ValueId q = by_head(op, raw_q, "q_num_heads");
    ValueId k = by_head(op, op.in(1), "kv_num_heads"), v = by_head(op, op.in(2), "kv_num_heads");
    const int64_t past = op.has(4) ? op.extent(op.in(4), 2) : 0;
    if (op.has(4)) k = op.concat({op.in(4), k}, 2);
    if (op.has(5)) v = op.concat({op.in(5), v}, 2);
    if (op.wants(1)) op.result(1, k);
    if (op.wants(2)) op.result(2, v);
    const Ints eq = op.extents(q), ek = op.extents(k);
    const Extents x{.batch = eq[0], .queries = eq[2], .keys = ek[2], .past = past};
    k = repeated_heads(op, op.cast(k, DataType::f32), eq[1]);
    v = repeated_heads(op, op.cast(v, DataType::f32), eq[1]);
    const double scale = op.attributes.has("scale") ? op.attributes.real("scale") : 1 / std::sqrt(static_cast<double>(eq[3]));
    const ValueId root = op.constant(DataType::f32, {}, std::vector<double>{std::sqrt(scale)});
    const ValueId scaled_q = op.mul(op.cast(q, DataType::f32), root), scaled_k = op.mul(op.transpose(k, {0, 1, 3, 2}), root);
    ValueId scores = op.matmul(scaled_q, scaled_k);
    const int64_t mode = op.attributes.integer("qk_matmul_output_mode");
    const auto show = [&](int64_t at, ValueId what) { if (op.wants(3) && mode == at) op.result(3, op.cast(what, type)); };
    show(0, scores);
    if (const double cap = op.attributes.real("softcap"); cap > 0) {
        const ValueId limit = op.like(scores, cap);
        scores = op.mul(op.unary("tanh", op.div(scores, limit)), limit);
        if (op.wants(3) && mode == 0) op.result(3, op.cast(scores, type));
    }
    show(1, scores);
    const ValueId order = order_mask(op, x), given = given_mask(op, x);
    const ValueId bias = order == no_value ? given : given == no_value ? order : op.add(order, given);
    if (bias != no_value) scores = op.add(scores, bias);
    show(2, scores);
    const ValueId p = probabilities(op, scores, bias);
    show(3, p);
    const ValueId y = op.matmul(p, v);
    const Ints e = op.extents(y);
    op.result(op.cast(op.rank(raw_q) == 4 ? y : op.reshape(op.transpose(y, {0, 2, 1, 3}), {e[0], e[2], e[1] * e[3]}), type));
}

/// Pairs of elements turned by angles: (a, b) -> (a cos - b sin, a sin + b cos).
void rotary_embedding(Op &op) {
    const ValueId x = op.in(0);
    const bool image = op.rank(x) == 4, interleaved = op.attributes.integer("interleaved");
    const ValueId heads = image ? x : by_head(op, x, "num_heads");  // batch, heads, rows, size
    const Ints e = op.extents(heads);
    const int64_t asked = op.attributes.integer("rotary_embedding_dim"), turned = asked == 0 ? e[3] : asked, half = turned / 2;
    if (turned < 2 || turned > e[3] || turned % 2 != 0) op.refuse(fmt::format("{} of {} elements are turned", turned, e[3]));
    const auto angles = [&](size_t k) {
        ValueId v = op.in(k);
        if (op.has(3)) v = op.gather(v, op.in(3), 0);
        if (op.rank(v) != 3) op.refuse("its angles have not three dimensions");
        const Ints a = op.extents(v);
        return op.reshape(v, interleaved ? Ints{a[0], 1, a[1], a[2], 1} : Ints{a[0], 1, a[1], a[2]});
    };
    const ValueId cosine = angles(1), sine = angles(2);
    const ValueId part = op.part(heads, 3, 0, turned);
    const int64_t axis = interleaved ? 4 : 3;
    const ValueId pairs = interleaved ? op.reshape(part, {e[0], e[1], e[2], half, 2}) : part;
    const int64_t middle = interleaved ? 1 : half, end = interleaved ? 2 : turned;
    const ValueId a = op.part(pairs, axis, 0, middle), b = op.part(pairs, axis, middle, end);
    const ValueId real = op.sub(op.mul(cosine, a), op.mul(sine, b)), imaginary = op.add(op.mul(sine, a), op.mul(cosine, b));
    ValueId y = op.reshape(op.concat({real, imaginary}, axis), {e[0], e[1], e[2], turned});
    if (turned < e[3]) y = op.concat({y, op.part(heads, 3, turned, e[3])}, 3);
    op.result(image ? y : op.reshape(op.transpose(y, {0, 2, 1, 3}), op.extents(x)));
}

}  // namespace

std::vector<OperatorRow> attention_rows() { return {{"Attention", attention}, {"RotaryEmbedding", rotary_embedding}}; }

}  // namespace emulsion::graph::onnx_import
