#include "graph/model/run_model.h"

#include "npu_backend/reference/reference.h"
#include "runtime/device/launch.h"
#include "runtime/diag/diag.h"

namespace emulsion::graph {
namespace {

class Runner {
public:
    Runner(const CompiledModel &model, const std::vector<std::vector<uint8_t>> &inputs, const InterpreterOptions &options)
        : model_(model), options_(options), inputs_(inputs), arena_(static_cast<size_t>(model.arena.bytes), 0) {
        const Graph &g = model.graph;
        std::vector<Value> wanted;
        for (ValueId v : g.inputs) wanted.push_back(g.value(v));
        check_inputs(g.name, wanted, inputs);
        for (ValueId v : g.outputs) outputs_.emplace_back(byte_size(g.value(v)), 0);
    }

    void run(const Segment &segment) {
        if (segment.unit == Unit::host) {
            for (int k : segment.kernels) run_on_host(model_.kernels[k]);
            return;
        }
        const Program &p = segment.program;
        std::vector<uint8_t> constants = p.constants;
        std::vector<RegionMemory> regions;
        size_t input = 0, output = 0;
        for (const Region &r : p.regions) switch (r.kind) {
            case RegionKind::input: regions.push_back({inputs_[input++]}); break;
            case RegionKind::output: regions.push_back({outputs_[output++]}); break;
            case RegionKind::constants: regions.push_back({constants}); break;
            case RegionKind::arena: regions.push_back({arena_}); break;
            }
        interpret(p, model_.target, regions, {}, options_);
    }

    std::vector<std::vector<uint8_t>> outputs() { return std::move(outputs_); }

private:
    const CompiledModel &model_;
    const InterpreterOptions &options_;
    std::vector<std::vector<uint8_t>> inputs_, outputs_;
    std::vector<uint8_t> arena_;

    std::vector<uint8_t> read(ValueId id) {
        const Value &v = model_.graph.value(id);
        const Storage &s = model_.storage.at(id);
        switch (s.kind) {
        case RegionKind::input: return inputs_[s.index];
        case RegionKind::output: return outputs_[s.index];
        case RegionKind::constants: return *v.data;
        case RegionKind::arena: break;
        }
        return {arena_.begin() + s.offset, arena_.begin() + s.offset + byte_size(v)};
    }

    void write(ValueId id, const std::vector<uint8_t> &bytes) {
        const Storage &s = model_.storage.at(id);
        if (s.kind == RegionKind::output) outputs_[s.index] = bytes;
        else std::copy(bytes.begin(), bytes.end(), arena_.begin() + s.offset);
    }

    void run_on_host(const Kernel &k) {
        NamedBuffers in, out;
        for (const KernelArgument &a : k.arguments) {
            if (a.output) out[a.name] = empty_buffer(a);
            else in[a.name] = gather(a, a.value == no_value ? a.data : read(a.value));
        }
        run_reference(k.request, in, out, k.scalars);
        for (const KernelArgument &a : k.arguments) {
            if (!a.output) continue;
            std::vector<uint8_t> bytes = read(a.value);
            scatter(a, out.at(a.name), bytes);
            write(a.value, bytes);
        }
    }
};

}  // namespace

void check_inputs(const std::string &name, const std::vector<Value> &inputs, const std::vector<std::vector<uint8_t>> &bytes) {
    if (bytes.size() != inputs.size()) raise(Diag::model_inputs, {.stage = "model"}, name, inputs.size(), bytes.size());
    for (size_t k = 0; k < bytes.size(); k++) {
        const Value &v = inputs[k];
        if (std::ssize(bytes[k]) != byte_size(v)) raise(Diag::model_input_size, {.stage = "model", .node = v.name}, v.name, byte_size(v), bytes[k].size());
    }
}

std::vector<TimingReport> time_model(const CompiledModel &model, const TimingOptions &options) {
    std::vector<TimingReport> timing;
    for (const Segment &s : model.segments)
        if (s.unit == Unit::npu) timing.push_back(simulate(s.program, model.target, {}, options));
    return timing;
}

ModelRun run_model(const CompiledModel &model, const std::vector<std::vector<uint8_t>> &inputs, const ModelRunOptions &options) {
    Runner runner(model, inputs, options.interpreter);
    for (const Segment &s : model.segments) runner.run(s);
    return {runner.outputs(), time_model(model, options.timing)};
}

}  // namespace emulsion::graph
