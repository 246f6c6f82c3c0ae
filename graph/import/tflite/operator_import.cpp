#include "graph/import/tflite/operator_import.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::tflite {

Node &OperatorImport::add(const std::string &op, std::vector<ValueId> in, std::map<std::string, Attribute> attributes) {
    graph.add_node({.op = op, .name = name_, .inputs = std::move(in), .outputs = outputs, .attributes = std::move(attributes), .origin = origin_});
    return graph.nodes.back();
}

ValueId OperatorImport::add_step(const std::string &suffix, const std::string &op, std::vector<ValueId> in, const Value &like,
                                 std::map<std::string, Attribute> attributes) {
    Value v = like;
    v.name = name_ + "." + suffix;
    v.data = nullptr;
    const std::string step = v.name;
    const ValueId id = graph.add_value(std::move(v));
    graph.add_node({.op = op, .name = step, .inputs = std::move(in), .outputs = {id}, .attributes = std::move(attributes), .origin = origin_});
    return id;
}

ValueId OperatorImport::input(size_t k) const {
    if (!has_input(k)) broken(fmt::format("it has no input {}", k));
    return inputs[k];
}

Value &OperatorImport::out(size_t k) {
    if (k >= outputs.size()) broken(fmt::format("it has no output {}", k));
    return graph.value(outputs[k]);
}

int64_t OperatorImport::axis(int64_t axis, int64_t rank) const {
    const int64_t a = axis < 0 ? axis + rank : axis;
    if (a < 0 || a >= rank) broken(fmt::format("axis {} of {} dimensions", axis, rank));
    return a;
}

std::string OperatorImport::activation(int64_t number) const {
    constexpr std::string_view names[] = {"none", "relu", "relu_n1_to_1", "relu6"};
    if (number < 0 || number >= std::ssize(names)) broken(fmt::format("fused activation {} has no meaning here", number));
    return std::string(names[number]);
}

void OperatorImport::broken(const std::string &why) const {
    raise(Diag::model_broken, {.stage = "tflite", .node = origin_}, "TFLite", fmt::format("operator {}: {}", origin_, why));
}

const OperatorRow *find_row(int code) {
    static const std::vector<OperatorRow> rows = [] {
        std::vector<OperatorRow> all;
        for (const auto &family : {compute_rows(), elementwise_rows(), movement_rows()}) all.insert(all.end(), family.begin(), family.end());
        return all;
    }();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const OperatorRow &r) { return r.code == code; });
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace emulsion::graph::tflite
