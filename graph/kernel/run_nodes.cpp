#include "graph/kernel/run_nodes.h"

#include "graph/ir/operator_table.h"
#include "npu_backend/reference/reference.h"
#include "runtime/device/launch.h"
#include "runtime/diag/diag.h"

#include <fmt/ranges.h>

namespace emulsion::graph {

struct NodeRunner::State {
    std::optional<TargetDesc> target;
    std::map<std::string, std::unique_ptr<Reference>> references;
    std::map<std::string, Program> programs;

    static CompileRequest request(const KernelCall &call) {
        CompileRequest r{.generator = call.generator, .params = call.params, .shapes = {}, .scalars = call.scalars, .parts = {}, .function_name = {}};
        for (const KernelArgument &a : call.arguments) r.shapes[a.name] = a.extents;
        return r;
    }

    static std::string key(const CompileRequest &r, bool with_shapes) {
        std::string k = r.generator;
        for (const auto &[name, value] : r.params) k += fmt::format(" {}={}", name, value);
        for (const auto &[name, value] : r.scalars) k += fmt::format(" {}={}", name, value);
        if (with_shapes)
            for (const auto &[name, extents] : r.shapes) k += fmt::format(" {}[{}]", name, fmt::join(extents, ","));
        return k;
    }

    void run_on_host(const KernelCall &call, const NamedBuffers &in, const NamedBuffers &out) {
        const CompileRequest r = request(call);
        std::unique_ptr<Reference> &reference = references[key(r, false)];
        if (!reference) reference = std::make_unique<Reference>(r);
        reference->run(in, out, call.scalars);
    }

    void run_on_npu(const KernelCall &call, const NamedBuffers &in, const NamedBuffers &out) {
        const CompileRequest r = request(call);
        auto [it, fresh] = programs.try_emplace(key(r, true));
        if (fresh) it->second = compile(r, *target).program;
        std::map<std::string, halide_buffer_t *> buffers;
        for (const NamedBuffers *set : {&in, &out})
            for (const auto &[name, buffer] : *set) buffers[name] = const_cast<Halide::Buffer<> &>(buffer).raw_buffer();
        launch(it->second, *target, bind_buffers(it->second, buffers, {}));
    }

    void run(const KernelCall &call, const Graph &graph, Tensors &tensors) {
        NamedBuffers in, out;
        for (const KernelArgument &a : call.arguments) {
            if (a.output) out[a.name] = empty_buffer(a);
            else in[a.name] = gather(a, a.value == no_value ? a.data : bytes(graph, a.value, tensors));
        }
        target ? run_on_npu(call, in, out) : run_on_host(call, in, out);
        for (const KernelArgument &a : call.arguments)
            if (a.output) scatter(a, out.at(a.name), tensors.at(a.value));
    }

    static const std::vector<uint8_t> &bytes(const Graph &graph, ValueId id, const Tensors &tensors) {
        const Value &v = graph.value(id);
        if (v.data) return *v.data;
        const auto it = tensors.find(id);
        if (it == tensors.end()) raise(Diag::model_value_missing, {.stage = "graph", .node = v.name}, v.name);
        return it->second;
    }
};

NodeRunner::NodeRunner(std::optional<TargetDesc> target) : state_(new State{std::move(target), {}, {}}) {}
NodeRunner::~NodeRunner() = default;

void NodeRunner::run(const Graph &graph, const Node &node, Tensors &tensors) {
    const OperatorInfo *op = find_operator(node.op);
    if (!op) raise(Diag::operator_unknown, {.stage = "graph", .node = node.name}, node.op, "see docs/operators.md");
    const std::vector<KernelCall> calls = op->lower(graph, node);
    for (ValueId id : node.outputs) tensors[id].assign(byte_size(graph.value(id)), 0);
    if (calls.empty()) tensors[node.outputs.at(0)] = State::bytes(graph, node.inputs.at(0), tensors);
    for (const KernelCall &call : calls) state_->run(call, graph, tensors);
}

Tensors run_nodes(const Graph &graph, const std::vector<std::vector<uint8_t>> &inputs, const TargetDesc *target) {
    if (inputs.size() != graph.inputs.size())
        raise(Diag::model_inputs, {.stage = "graph"}, graph.name, graph.inputs.size(), inputs.size());
    Tensors tensors;
    for (size_t k = 0; k < inputs.size(); k++) {
        const Value &v = graph.value(graph.inputs[k]);
        if (static_cast<int64_t>(inputs[k].size()) != byte_size(v))
            raise(Diag::model_input_size, {.stage = "graph", .node = v.name}, v.name, byte_size(v), inputs[k].size());
        tensors[graph.inputs[k]] = inputs[k];
    }
    NodeRunner runner(target ? std::optional(*target) : std::nullopt);
    for (const Node &n : graph.nodes) runner.run(graph, n, tensors);
    return tensors;
}

}  // namespace emulsion::graph
