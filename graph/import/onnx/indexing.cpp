// Elements chosen by indices. Tensors of indices choose among the elements in a row: the graph's gather takes slices.
#include "graph/import/onnx/fold.h"
#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace emulsion::graph::onnx_import {
namespace {

using Op = OperatorImport;

constexpr int64_t most_indices = int64_t{1} << 24;  ///< of a constant that is made here

void gather(Op &op) {
    const ValueId x = op.raw(0);
    op.result(op.gather(x, op.in(1), op.axis(op.attributes.integer("axis"), op.rank(x))));
}

/// Indices below 0 count from the end.
ValueId from_start(Op &op, ValueId indices, int64_t extent) {
    return op.where(op.compare("less", indices, op.like(indices, 0)), op.add(indices, op.like(indices, static_cast<double>(extent))), indices);
}

/// Sums of index times stride over all dimensions of `shape` but those of stride 0, as a constant of that shape.
ValueId offsets(Op &op, DataType type, const Ints &shape, const Ints &strides) {
    const int64_t n = checked_elements(shape, op.name);
    if (n > most_indices) op.unsupported("this many indices");
    Ints numbers, at(shape.size(), 0);
    for (int64_t k = 0; k < n; k++) {
        numbers.push_back(std::inner_product(at.begin(), at.end(), strides.begin(), int64_t{0}));
        for (size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];) at[d] = 0;
    }
    return op.constant(type, shape, numbers);
}

void gather_elements(Op &op) {
    const ValueId x = op.raw(0), indices = op.in(1);
    const int64_t axis = op.axis(op.attributes.integer("axis"), op.rank(x));
    if (op.rank(indices) != op.rank(x)) op.refuse("indices of another rank");
    const Ints e = op.extents(x), s = strides_of(e), shape = op.extents(indices);
    Ints others = s;
    others[static_cast<size_t>(axis)] = 0;
    const ValueId along = op.mul(from_start(op, indices, e[static_cast<size_t>(axis)]), op.like(indices, static_cast<double>(s[static_cast<size_t>(axis)])));
    op.result(op.gather(op.reshape(x, {element_count(e)}), op.add(along, offsets(op, op.type(indices), shape, others)), 0));
}

void gather_nd(Op &op) {
    const ValueId x = op.raw(0), indices = op.in(1);
    const Ints e = op.extents(x), i = op.extents(indices);
    const int64_t batch = op.attributes.integer("batch_dims"), depth = i.empty() ? 0 : i.back();
    if (i.empty() || batch < 0 || batch >= std::ssize(i) || batch + depth > std::ssize(e) || depth < 1) op.refuse("its indices do not fit its input");
    const Ints rows(e.begin(), e.begin() + batch + depth), rest(e.begin() + batch + depth, e.end()), s = strides_of(rows);
    Ints shape(i.begin(), i.end() - 1), by_batch(shape.size(), 0);
    for (int64_t d = 0; d < batch; d++) by_batch[static_cast<size_t>(d)] = s[static_cast<size_t>(d)];
    ValueId at = offsets(op, op.type(indices), shape, by_batch);
    for (int64_t k = 0; k < depth; k++) {
        const auto d = static_cast<size_t>(batch + k);
        const ValueId one = op.reshape(op.part(indices, std::ssize(i) - 1, k, k + 1), shape);
        at = op.add(at, op.mul(from_start(op, one, e[d]), op.like(indices, static_cast<double>(s[d]))));
    }
    Ints table{element_count(rows)};
    table.insert(table.end(), rest.begin(), rest.end());
    op.result(op.gather(op.reshape(x, table), at, 0));
}

/// Rows of `data` with those of `updates` in place of rows `at`, a later one over an earlier one.
ValueId replaced(Op &op, ValueId data, ValueId updates, const Ints &at, int64_t rows, int64_t inner) {
    Ints from(static_cast<size_t>(rows));
    std::iota(from.begin(), from.end(), 0);
    for (size_t k = 0; k < at.size(); k++) from[static_cast<size_t>(at[k])] = rows + static_cast<int64_t>(k);
    const ValueId all = op.concat({op.reshape(data, {rows, inner}), op.reshape(updates, {std::ssize(at), inner})}, 0);
    return op.reshape(op.gather(all, op.constant(DataType::i64, {rows}, from), 0), op.extents(data));
}

void check_plain(Op &op) {
    if (op.attributes.text("reduction", "none") != "none") op.unsupported("a reduction");
}

int64_t checked_index(Op &op, int64_t i, int64_t extent) {
    const int64_t at = i < 0 ? i + extent : i;
    if (at < 0 || at >= extent) op.refuse(fmt::format("index {} of {}", i, extent));
    return at;
}

void scatter_elements(Op &op) {
    check_plain(op);
    const ValueId x = op.in(0), updates = op.in(2);
    const int64_t axis = op.axis(op.attributes.integer("axis"), op.rank(x));
    const Ints e = op.extents(x), s = strides_of(e), shape = op.extents(op.raw(1)), indices = op.numbers(op.raw(1));
    if (shape.size() != e.size() || op.extents(updates) != shape) op.refuse("indices and updates differ in shape");
    for (size_t d = 0; d < e.size(); d++)
        if (static_cast<int64_t>(d) != axis && shape[d] > e[d]) op.refuse("more updates than elements");
    Ints at(shape.size(), 0), rows;
    for (int64_t i : indices) {
        Ints where = at;
        where[static_cast<size_t>(axis)] = checked_index(op, i, e[static_cast<size_t>(axis)]);
        rows.push_back(std::inner_product(where.begin(), where.end(), s.begin(), int64_t{0}));
        for (size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];) at[d] = 0;
    }
    op.result(replaced(op, x, updates, rows, element_count(e), 1));
}

void scatter_nd(Op &op) {
    check_plain(op);
    const ValueId x = op.in(0), updates = op.in(2);
    const Ints e = op.extents(x), shape = op.extents(op.raw(1)), indices = op.numbers(op.raw(1));
    const int64_t depth = shape.empty() ? 0 : shape.back();
    if (depth < 1 || depth > std::ssize(e)) op.refuse("its indices do not fit its input");
    const Ints rows(e.begin(), e.begin() + depth), s = strides_of(rows);
    const int64_t inner = element_count(Ints(e.begin() + depth, e.end()));
    Ints at;
    for (size_t k = 0; k + static_cast<size_t>(depth) <= indices.size(); k += static_cast<size_t>(depth)) {
        int64_t row = 0;
        for (size_t d = 0; d < rows.size(); d++) row += checked_index(op, indices[k + d], rows[d]) * s[d];
        at.push_back(row);
    }
    if (op.elements(updates) != std::ssize(at) * inner) op.refuse("updates of another size than its indices say");
    op.result(replaced(op, x, updates, at, element_count(rows), inner));
}

void one_hot(Op &op) {
    ValueId indices = op.in(0);
    if (op.type(indices) != DataType::i32) indices = op.cast(indices, DataType::i64);
    const std::vector<double> values = op.reals(op.raw(2));
    const int64_t depth = static_cast<int64_t>(op.real(op.raw(1)));
    if (values.size() != 2 || depth < 1 || depth > 1 << 24) op.refuse("its depth or values are out of range");
    op.result(op.make("one_hot", {indices}, {{"depth", depth}, {"axis", op.axis(op.attributes.integer("axis", -1), op.rank(indices) + 1)}, {"off", values[0]}, {"on", values[1]}, {"wrap", int64_t{1}}},
                      op.type(op.raw(2))));
}

void hardmax(Op &op) {
    const ValueId x = op.in(0);
    const int64_t axis = op.axis(op.attributes.integer("axis", -1), op.rank(x));
    const ValueId index = op.make("arg_reduce", {x}, {{"function", std::string("max")}, {"axis", axis}, {"keep_dimensions", int64_t{0}}, {"last", int64_t{0}}}, DataType::i64);
    op.result(op.make("one_hot", {index}, {{"depth", op.extent(x, axis)}, {"axis", axis}}, op.type(x)));
}

void compress(Op &op) {
    ValueId x = op.raw(0);
    const Ints keep = op.numbers(op.raw(1));
    int64_t axis = 0;
    if (op.attributes.has("axis")) axis = op.axis(op.attributes.integer("axis"), op.rank(x));
    else x = op.reshape(x, {op.elements(x)});
    Ints indices;
    for (size_t k = 0; k < keep.size(); k++)
        if (keep[k]) indices.push_back(static_cast<int64_t>(k));
    if (indices.empty()) op.unsupported("an empty result");
    op.result(op.gather(x, op.integers(indices), axis));
}

/// The first elements of every batch backwards, the others as they are.
void reverse_sequence(Op &op) {
    const ValueId x = op.raw(0);
    const Ints e = op.extents(x), lengths = op.numbers(op.raw(1));
    const int64_t batch = op.attributes.integer("batch_axis", 1), time = op.attributes.integer("time_axis", 0);
    if (e.size() < 2 || batch + time != 1 || batch * time != 0 || std::ssize(lengths) != e[static_cast<size_t>(batch)]) op.refuse("its axes or lengths do not fit");
    Ints rows;
    for (int64_t a = 0; a < e[0]; a++)
        for (int64_t b = 0; b < e[1]; b++) {
            const int64_t t = time == 0 ? a : b, n = lengths[static_cast<size_t>(time == 0 ? b : a)];
            if (n < 0 || n > e[static_cast<size_t>(time)]) op.refuse("a length is out of range");
            const int64_t from = t < n ? n - 1 - t : t;
            rows.push_back(time == 0 ? from * e[1] + b : a * e[1] + from);
        }
    Ints table{e[0] * e[1]};
    table.insert(table.end(), e.begin() + 2, e.end());
    op.result(op.reshape(op.gather(op.reshape(x, table), op.integers(rows), 0), e));
}

}  // namespace

std::vector<OperatorRow> indexing_rows() {
    return {{"Compress", compress},
            {"Gather", gather},
            {"GatherElements", gather_elements},
            {"GatherND", gather_nd},
            {"Hardmax", hardmax},
            {"OneHot", one_hot},
            {"ReverseSequence", reverse_sequence},
            {"Scatter", scatter_elements},
            {"ScatterElements", scatter_elements},
            {"ScatterND", scatter_nd}};
}

}  // namespace emulsion::graph::onnx_import
