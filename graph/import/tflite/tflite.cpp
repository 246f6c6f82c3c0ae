#include "graph/import/tflite.h"

#include "graph/import/tflite/operator_import.h"
#include "runtime/diag/diag.h"
#include "tflite_generated.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace emulsion::graph {
namespace {

using namespace tflite;

// Limits of what a model may ask for; real models stay far below.
constexpr int64_t most_elements = int64_t{1} << 31;   ///< of one value
constexpr size_t most_values = 1 << 20, most_operators = 1 << 18;
constexpr int64_t most_dimensions = 8;

struct TypeRow {
    int code;  ///< TensorType of the format
    DataType type;
};
constexpr TypeRow types[] = {{0, DataType::f32}, {1, DataType::f16}, {2, DataType::i32},  {3, DataType::u8},   {4, DataType::i64},  {6, DataType::boolean},
                             {7, DataType::i16}, {9, DataType::i8},  {10, DataType::f64}, {12, DataType::u64}, {15, DataType::u32}, {16, DataType::u16},
                             {17, DataType::i4}, {18, DataType::bf16}, {20, DataType::u4}};

[[noreturn]] void broken(const std::string &why, const std::string &node = "") { raise(Diag::model_broken, {.stage = "tflite", .node = node}, "TFLite", why); }

class Importer {
public:
    Importer(std::span<const uint8_t> file, const std::string &name) : file_(file), model_(*verified(file)) { graph_.name = name; }

    Graph run() {
        if (!model_.subgraphs() || model_.subgraphs()->size() == 0) broken("it has no graph");
        if (!model_.buffers()) broken("it has no buffers");
        const SubGraph &g = *model_.subgraphs()->Get(0);
        if (!g.tensors() || g.tensors()->size() > most_values) broken("it has no tensors, or too many");
        for (uint32_t t = 0; t < g.tensors()->size(); t++) add_tensor(*g.tensors()->Get(t), t);
        for (ValueId v : values(g.inputs(), "an input of the graph"))
            if (!graph_.value(v).is_constant() && !contains(graph_.inputs, v)) graph_.inputs.push_back(v);
        graph_.outputs = values(g.outputs(), "an output of the graph");
        if (graph_.outputs.empty()) broken("it has no outputs");
        if (g.operators()) {
            if (g.operators()->size() > most_operators) broken("it has too many operators");
            for (uint32_t k = 0; k < g.operators()->size(); k++) add_operator(*g.operators()->Get(k), k);
        }
        check_single_writers();
        graph_.compact();
        return std::move(graph_);
    }

private:
    std::span<const uint8_t> file_;
    const Model &model_;
    Graph graph_;
    std::set<std::string> names_;

    static const Model *verified(std::span<const uint8_t> file) {
        if (file.size() < 8 || file.size() >= (uint64_t{1} << 31) || !ModelBufferHasIdentifier(file.data())) broken("the signature TFL3 is missing");
        flatbuffers::Verifier verifier(file.data(), file.size(), 64, 4'000'000);
        if (!VerifyModelBuffer(verifier)) broken("an offset or size is wrong");
        return GetModel(file.data());
    }

    static bool contains(const std::vector<ValueId> &list, ValueId v) { return std::find(list.begin(), list.end(), v) != list.end(); }

    std::string unique(std::string name, const std::string &otherwise) {
        if (name.empty()) name = otherwise;
        std::string candidate = name;
        for (int n = 1; !names_.insert(candidate).second; n++) candidate = fmt::format("{}_{}", name, n);
        return candidate;
    }

    void add_tensor(const Tensor &t, uint32_t index) {
        Value v;
        v.name = unique(t.name() ? t.name()->str() : "", fmt::format("tensor_{}", index));
        const auto type = std::find_if(std::begin(types), std::end(types), [&](const TypeRow &r) { return r.code == t.type(); });
        if (type == std::end(types)) raise(Diag::tflite_type, {.stage = "tflite", .node = v.name}, v.name, int{t.type()});
        v.type = type->type;
        const auto *shape = t.shape();
        const auto *signature = t.shape_signature();
        if (shape && shape->size() > most_dimensions) raise(Diag::model_limit, {.stage = "tflite", .node = v.name}, "the rank of \"" + v.name + "\"", shape->size(), most_dimensions);
        int64_t elements = 1;
        for (uint32_t d = 0; shape && d < shape->size(); d++) {
            const int64_t e = shape->Get(d);
            if (e < 0) broken(fmt::format("\"{}\" has extent {}", v.name, e), v.name);
            if (e > 0 && elements > most_elements / e) raise(Diag::model_limit, {.stage = "tflite", .node = v.name}, "the size of \"" + v.name + "\"", "larger", most_elements);
            elements *= e;
            v.shape.push_back({.extent = e});
        }
        // The signature says which extents may change; the file's own are those the model was built for, and taken here.
        if (signature && shape && signature->size() != shape->size()) broken(fmt::format("\"{}\" has two ranks", v.name), v.name);
        add_quantization(v, t.quantization());
        add_data(v, t, elements);
        graph_.add_value(std::move(v));
    }

    void add_quantization(Value &v, const tflite::Quantization *q) {
        if (!q || !q->scale() || q->scale()->size() == 0) return;
        const uint32_t count = q->scale()->size();
        const int64_t axis = q->quantized_dimension();
        if (count > 1 && (axis < 0 || axis >= std::ssize(v.shape) || v.shape[axis].extent != count))
            broken(fmt::format("\"{}\" has {} scales, which fit no dimension", v.name, count), v.name);
        if (q->zero_point() && q->zero_point()->size() != count && q->zero_point()->size() > 1) broken(fmt::format("\"{}\" has not as many zero points as scales", v.name), v.name);
        for (uint32_t k = 0; k < count; k++) {
            const float scale = q->scale()->Get(k);
            const uint32_t zeros = q->zero_point() ? q->zero_point()->size() : 0;
            const int64_t zero = zeros == 0 ? 0 : q->zero_point()->Get(zeros == count ? k : 0);
            if (!(scale >= 0) || scale > 3e38f || zero < INT32_MIN || zero > INT32_MAX) broken(fmt::format("\"{}\" has scale {} and zero point {}", v.name, scale, zero), v.name);
            v.quantization.scale.push_back(scale);
            v.quantization.zero_point.push_back(static_cast<int32_t>(zero));
        }
        v.quantization.axis = count > 1 ? static_cast<int>(axis) : -1;
        // Exporters leave a scale of 0 on floats and on values nobody quantised.
        if (info(v.type).is_float || v.quantization.scale[0] == 0) v.quantization = {};
    }

    void add_data(Value &v, const Tensor &t, int64_t elements) {
        if (t.buffer() >= model_.buffers()->size()) broken(fmt::format("\"{}\" lies in buffer {} of {}", v.name, t.buffer(), model_.buffers()->size()), v.name);
        const Buffer &b = *model_.buffers()->Get(t.buffer());
        if (b.offset() > 1) broken(fmt::format("\"{}\" lies outside the FlatBuffer, which is not read here", v.name), v.name);
        const size_t size = b.data() ? b.data()->size() : 0;
        if (t.buffer() == 0 || size == 0) {
            if (elements == 0 && t.buffer() != 0) v.data = std::make_shared<const std::vector<uint8_t>>();
            return;
        }
        const int64_t bytes = bytes_of(v.type, elements);
        if (static_cast<int64_t>(size) != bytes) broken(fmt::format("\"{}\" holds {} B, its shape takes {} B", v.name, size, bytes), v.name);
        v.data = std::make_shared<const std::vector<uint8_t>>(b.data()->begin(), b.data()->end());
    }

    std::vector<ValueId> values(const flatbuffers::Vector<int32_t> *list, const std::string &what) const {
        std::vector<ValueId> ids;
        if (!list) return ids;
        for (int32_t id : *list) {
            if (id < -1 || id >= std::ssize(graph_.values)) broken(fmt::format("{} is tensor {}, there are {}", what, id, graph_.values.size()));
            ids.push_back(id);
        }
        return ids;
    }

    void add_operator(const Operator &o, uint32_t index) {
        if (!model_.operator_codes() || o.opcode_index() >= model_.operator_codes()->size()) broken(fmt::format("operator {} has no code", index));
        const OperatorCode &code = *model_.operator_codes()->Get(o.opcode_index());
        const int builtin = std::max<int>(code.deprecated_builtin_code(), code.builtin_code());
        const OperatorRow *row = find_row(builtin);
        const std::string kind = row ? std::string(row->name) : code.custom_code() ? code.custom_code()->str() : fmt::format("BUILTIN_{}", builtin);
        const std::string origin = fmt::format("{} #{}", kind, index);
        std::vector<ValueId> in = values(o.inputs(), "an input of " + origin), out = values(o.outputs(), "an output of " + origin);
        if (out.empty() || contains(out, no_value)) broken("operator " + origin + " has no output");
        const std::string name = node_name(graph_.value(out[0]).name);
        OperatorImport import(graph_, name, origin, std::move(in), std::move(out), OptionReader(reinterpret_cast<const flatbuffers::Table *>(o.builtin_options()), file_));
        if (row) row->import(import);
        else import.add("unknown", import.inputs, {{"operator", kind}});
    }

    std::set<std::string> node_names_;
    std::string node_name(const std::string &wanted) {
        std::string candidate = wanted;
        for (int n = 1; !node_names_.insert(candidate).second; n++) candidate = fmt::format("{}_{}", wanted, n);
        return candidate;
    }

    void check_single_writers() const {
        std::vector<bool> written(graph_.values.size(), false);
        for (ValueId v : graph_.inputs) written[v] = true;
        for (const Node &n : graph_.nodes)
            for (ValueId v : n.outputs) {
                if (written[v] || graph_.value(v).is_constant()) broken(fmt::format("\"{}\" is written twice", graph_.value(v).name), n.origin);
                written[v] = true;
            }
        for (const Node &n : graph_.nodes)
            for (ValueId v : n.inputs)
                if (v != no_value && !written[v] && !graph_.value(v).is_constant()) broken(fmt::format("\"{}\" is read by {} and nobody writes it", graph_.value(v).name, n.origin), n.origin);
        for (ValueId v : graph_.outputs)
            if (v == no_value || (!written[v] && !graph_.value(v).is_constant())) broken("an output of the graph is never written");
    }
};

}  // namespace

Graph import_tflite(std::span<const uint8_t> file, const std::string &name) { return Importer(file, name).run(); }

}  // namespace emulsion::graph
