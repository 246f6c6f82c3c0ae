// Matrix products, plain and quantised.
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

/// NumPy's matmul: operands of one dimension get a second, which the result loses again. Batches that broadcast both ways are made whole.
ValueId product(Op &op, ValueId a, ValueId b, const Attributes &attributes = {}, std::optional<DataType> type = {}, const Quantization &q = {}) {
    const bool row = op.rank(a) == 1, column = op.rank(b) == 1;
    if (op.rank(a) == 0 || op.rank(b) == 0) op.refuse("an operand without dimensions");
    if (row) a = op.reshape(a, {1, op.extent(a, 0)});
    if (column) b = op.reshape(b, {op.extent(b, 0), 1});
    const auto batch = [&](ValueId v) { const Ints e = op.extents(v); return Ints(e.begin(), e.end() - 2); };
    if (op.rank(a) > 2 && op.rank(b) > 2 && batch(a) != batch(b)) {
        const size_t rank = static_cast<size_t>(std::max(op.rank(a), op.rank(b))) - 2;
        const auto widened = [&](ValueId v, const ValueId other) {
            Ints mine = batch(v), theirs = batch(other), e = op.extents(v);
            mine.insert(mine.begin(), rank - mine.size(), 1), theirs.insert(theirs.begin(), rank - theirs.size(), 1);
            for (size_t d = 0; d < rank; d++) mine[d] = mine[d] == 1 ? theirs[d] : mine[d];
            mine.insert(mine.end(), e.end() - 2, e.end());
            return op.broadcast(v, mine);
        };
        const ValueId wide = widened(a, b);
        b = widened(b, a);
        a = wide;
    }
    const ValueId v = op.make("matmul", {a, b}, attributes, type, q);
    if (!row && !column) return v;
    Ints shape = op.extents(v);
    if (row) shape.erase(shape.end() - 2);
    if (column) shape.pop_back();
    return op.reshape(v, shape);
}

/// Integers without scales multiply in int32 by element-wise products; the graph's operator takes floats and quantised operands.
void matmul(Op &op) {
    const ValueId a = op.in(0), b = op.in(1);
    if (!op.is_float(a)) op.unsupported("integers");
    op.result(product(op, a, b));
}

/// alpha A B + beta C: the graph's operator adds a row; other shapes of C are added by themselves.
void gemm(Op &op) {
    const ValueId a = op.in(0), b = op.in(1), c = op.optional_in(2);
    if (op.rank(a) != 2 || op.rank(b) != 2) op.refuse("an operand that is no matrix");
    const double alpha = op.attributes.real("alpha", 1), beta = op.attributes.real("beta", 1);
    const bool turn_b = op.attributes.integer("transB");
    const ValueId left = op.attributes.integer("transA") ? op.transpose(a, {1, 0}) : a;
    const int64_t columns = op.extent(b, turn_b ? 0 : 1);
    const bool as_bias = c != no_value && beta == 1 && alpha == 1 && op.elements(c) == columns && (op.rank(c) == 1 || (op.rank(c) == 2 && op.extent(c, 0) == 1)) && op.is_float(c);
    std::vector<ValueId> in{left, b};
    if (as_bias) in.push_back(op.reshape(c, {columns}));
    ValueId v = op.make("matmul", in, {{"transpose_b", int64_t{turn_b}}});
    if (alpha != 1) v = op.mul(v, op.like(v, alpha));
    if (c != no_value && !as_bias && beta != 0) v = op.add(v, beta == 1 ? c : op.mul(c, op.like(c, beta)));
    op.result(v);
}

const Attributes in_float{{"rounding", std::string("rne_f32")}};

/// Scales per column belong to the last dimension of b. Several zero points or scales of a are not the machine's.
void qlinear_matmul(Op &op) {
    const ValueId a = op.raw(0), b = op.raw(3);
    const Quantization qa = quantization_of(op, 1, 2, op.rank(a) - 2, 0), qb = quantization_of(op, 4, 5, op.rank(b) - 1, op.extent(b, op.rank(b) - 1)), out = quantization_of(op, 6, 7, 0, 0);
    op.result(product(op, op.restate(a, qa), op.restate(b, qb), in_float, op.type(op.raw(7)), out));
}

void matmul_integer(Op &op) {
    const auto zero = [&](size_t k) { return Quantization{.scale = {1}, .zero_point = {static_cast<int32_t>(op.has(k) ? op.integer(op.raw(k)) : 0)}, .axis = -1}; };
    op.result(product(op, op.restate(op.raw(0), zero(2)), op.restate(op.raw(1), zero(3)), in_float, DataType::i32));
}

// Einsum.

struct Equation {
    std::vector<std::string> operands;
    std::string result;
};

/// Letters only; "..." is refused by the caller. Without an arrow the result has the letters that stand once, in order.
Equation parsed(Op &op, const std::string &text) {
    std::string all;
    for (char c : text)
        if (c != ' ') all += c;
    if (all.find('.') != std::string::npos) op.unsupported("an ellipsis");
    const size_t arrow = all.find("->");
    Equation e;
    std::string left = all.substr(0, arrow), word;
    for (char c : left + ",") {
        if (c == ',') e.operands.push_back(word), word.clear();
        else word += c;
    }
    if (arrow != std::string::npos) e.result = all.substr(arrow + 2);
    else
        for (char c = 'A'; c <= 'z'; c++)
            if (std::count(left.begin(), left.end(), c) == 1) e.result += c;
    return e;
}

/// `v` with the letters of `order` as dimensions: those it lacks have extent 1.
ValueId aligned(Op &op, ValueId v, const std::string &letters, const std::string &order) {
    Ints permutation, shape;
    const Ints e = op.extents(v);
    for (char c : order) {
        const size_t at = letters.find(c);
        if (at != std::string::npos) permutation.push_back(static_cast<int64_t>(at));
        shape.push_back(at == std::string::npos ? 1 : e[at]);
    }
    return op.reshape(op.transpose(v, permutation), shape);
}

/// Products of aligned operands, summed over the letters that the result lacks.
void einsum(Op &op) {
    const Equation e = parsed(op, op.attributes.text("equation"));
    if (e.operands.size() != op.input_count()) op.refuse("the equation has another number of operands");
    std::string order = e.result;
    for (size_t k = 0; k < e.operands.size(); k++) {
        const std::string &word = e.operands[k];
        if (std::ssize(word) != op.rank(op.in(k))) op.refuse("a term of the equation has another rank than its operand");
        for (char c : word) {
            if (std::count(word.begin(), word.end(), c) > 1) op.unsupported("a letter twice in one term");
            if (order.find(c) == std::string::npos) order += c;
        }
    }
    for (char c : e.result)
        if (std::count(e.result.begin(), e.result.end(), c) > 1 || std::none_of(e.operands.begin(), e.operands.end(), [&](const std::string &w) { return w.find(c) != std::string::npos; }))
            op.refuse("the result of the equation has a letter twice, or one that no term has");
    ValueId v = aligned(op, op.in(0), e.operands[0], order);
    for (size_t k = 1; k < e.operands.size(); k++) v = op.mul(v, aligned(op, op.in(k), e.operands[k], order));
    Ints summed;
    for (size_t d = e.result.size(); d < order.size(); d++) summed.push_back(static_cast<int64_t>(d));
    op.result(summed.empty() ? v : op.reduce("sum", v, summed, false));
}

}  // namespace

std::vector<OperatorRow> matrix_rows() {
    return {{"Einsum", einsum}, {"Gemm", gemm}, {"MatMul", matmul}, {"MatMulInteger", matmul_integer}, {"QLinearMatMul", qlinear_matmul}};
}

}  // namespace emulsion::graph::onnx_import
