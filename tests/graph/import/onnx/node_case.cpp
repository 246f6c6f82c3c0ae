#include "tests/graph/import/onnx/node_case.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace emulsion::graph {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// input_0.pb, input_1.pb ... until one is missing.
std::vector<onnx::TensorProto> tensors(const fs::path &folder, const std::string &kind, const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> &values, std::string &unreadable) {
    std::vector<onnx::TensorProto> all;
    for (int k = 0; fs::exists(folder / fmt::format("{}_{}.pb", kind, k)); k++) {
        all.emplace_back();
        const bool tensor = k < values.size() && values[k].type().has_tensor_type();
        if (!tensor || !all.back().ParseFromString(contents(folder / fmt::format("{}_{}.pb", kind, k)))) unreadable = fmt::format("{} {} is no tensor", kind, k);
    }
    return all;
}

constexpr std::string_view random_operators[] = {"Bernoulli", "RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial"};

}  // namespace

NodeCase read_case(const fs::path &folder) {
    NodeCase c{.name = folder.filename().string(), .model = {}, .data = {}, .unreadable = {}};
    if (!c.model.ParseFromString(contents(folder / "model.onnx"))) c.unreadable = "no model";
    for (int k = 0; fs::exists(folder / fmt::format("test_data_set_{}", k)); k++) {
        const fs::path data = folder / fmt::format("test_data_set_{}", k);
        c.data.push_back({tensors(data, "input", c.model.graph().input(), c.unreadable), tensors(data, "output", c.model.graph().output(), c.unreadable)});
    }
    return c;
}

bool is_function_form(const NodeCase &c) { return c.name.find("_expanded") != std::string::npos; }

std::string operator_of(const NodeCase &c) {
    const auto &nodes = c.model.graph().node();
    if (nodes.empty()) return "none";
    const auto &n = nodes[nodes.size() - 1];
    return n.domain().empty() ? n.op_type() : n.domain() + "." + n.op_type();
}

bool is_random(const NodeCase &c) {
    for (const auto &n : c.model.graph().node())
        if (std::find(std::begin(random_operators), std::end(random_operators), n.op_type()) != std::end(random_operators)) return true;
    return c.name.find("training_dropout") != std::string::npos && c.name.find("zero_ratio") == std::string::npos;
}

std::string with_constants(const NodeCase &c, const NodeCase::Data &data, const std::vector<bool> &constant) {
    onnx::ModelProto m = c.model;
    for (size_t k = 0; k < data.inputs.size() && k < constant.size(); k++) {
        if (!constant[k]) continue;
        onnx::TensorProto &t = *m.mutable_graph()->add_initializer();
        t = data.inputs[k];
        t.set_name(m.graph().input(static_cast<int>(k)).name());
    }
    return m.SerializeAsString();
}

}  // namespace emulsion::graph
