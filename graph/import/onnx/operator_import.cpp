#include "graph/import/onnx/operator_import.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

namespace emulsion::graph::onnx_import {

ValueId OperatorImport::raw(size_t k) const {
    if (!has(k)) refuse(fmt::format("it has no input {}", k));
    if (draft.without_shape.contains(words_.inputs[k])) unsupported("an input has no known shape");
    return words_.inputs[k];
}

std::vector<ValueId> OperatorImport::all_inputs() {
    std::vector<ValueId> all;
    for (size_t k = 0; k < input_count(); k++) all.push_back(in(k));
    return all;
}

void OperatorImport::result(size_t k, ValueId v) {
    if (k >= results_.size()) refuse(fmt::format("it has no output {}", k));
    results_[k] = v;
}

namespace {

using Family = std::vector<OperatorRow> (*)();
constexpr Family standard[] = {attention_rows, convolution_rows, elementwise_rows, indexing_rows, loss_rows, matrix_rows, movement_rows, normalization_rows,
                               pool_rows, quantization_rows, reduction_rows, resize_rows, shape_rows};

std::vector<OperatorRow> gathered(std::span<const Family> families) {
    std::vector<OperatorRow> all;
    for (Family f : families) {
        const auto rows = f();
        all.insert(all.end(), rows.begin(), rows.end());
    }
    std::sort(all.begin(), all.end(), [](const OperatorRow &a, const OperatorRow &b) { return a.name < b.name; });
    return all;
}

}  // namespace

const OperatorRow *find_row(std::string_view domain, std::string_view name) {
    static const std::vector<OperatorRow> onnx = gathered(standard), microsoft = gathered(std::array<Family, 1>{microsoft_rows});
    if (domain != "" && domain != "ai.onnx" && domain != "com.microsoft") return nullptr;
    const auto &rows = domain == "com.microsoft" ? microsoft : onnx;
    const auto row = std::lower_bound(rows.begin(), rows.end(), name, [](const OperatorRow &r, std::string_view n) { return r.name < n; });
    return row == rows.end() || row->name != name ? nullptr : &*row;
}

}  // namespace emulsion::graph::onnx_import
