#include "apps/emulsion/model_session.h"

#include "runtime/device/launch.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <bit>

namespace emulsion::command {
namespace {

using graph::Value;

graph::DataType data_type(ElementType t) {
    for (size_t k = 0; k < std::size(graph::data_types); k++)
        if (graph::data_types[k].element == t && graph::DataType(k) != graph::DataType::boolean) return graph::DataType(k);
    raise(Diag::internal_error, {}, "apps/emulsion", "an element type without a data type");
}

Value value_of(const Region &r) {
    Value v{.name = r.name, .type = data_type(r.type), .shape = graph::make_shape({r.extents.rbegin(), r.extents.rend()}), .quantization = {}, .data = nullptr};
    if (r.scale_bits) v.quantization = {{std::bit_cast<float>(r.scale_bits)}, {r.zero_point}, -1};
    return v;
}

std::vector<Value> values_of(const graph::Graph &g, const std::vector<graph::ValueId> &ids) {
    std::vector<Value> values;
    for (graph::ValueId id : ids) values.push_back(g.value(id));
    return values;
}

/// Memory for a program's regions: the caller's inputs, fresh outputs, its constants, a zeroed arena.
Binding bind_regions(const Program &p, const std::vector<std::vector<uint8_t>> &inputs, std::vector<std::vector<uint8_t>> &outputs) {
    Binding b;
    size_t input = 0, output = 0;
    b.owned.reserve(p.regions.size());
    for (const Region &r : p.regions) switch (r.kind) {
        case RegionKind::input: b.regions.push_back({b.owned.emplace_back(inputs[input++])}); break;
        case RegionKind::output: b.regions.push_back({outputs[output++]}); break;
        case RegionKind::constants: b.regions.push_back({b.owned.emplace_back(p.constants)}); break;
        case RegionKind::arena: b.regions.push_back({b.owned.emplace_back(r.bytes, uint8_t{0})}); break;
        }
    return b;
}

}  // namespace

bool holds_model(const Program &program) {
    return std::any_of(program.regions.begin(), program.regions.end(), [](const Region &r) { return r.kind == RegionKind::output && !r.extents.empty(); });
}

ModelSession::ModelSession(const std::string &path, const TargetDesc &target, const ModelWords &words) : target_(target), imported_(read_model(path, words.options().symbols)) {
    compiled_ = graph::compile_model(*imported_, target, words.options());
    inputs_ = values_of(compiled_->graph, compiled_->graph.inputs);
    outputs_ = values_of(compiled_->graph, compiled_->graph.outputs);
}

ModelSession::ModelSession(Program program, TargetDesc target) : target_(std::move(target)), program_(std::move(program)) {
    check_certificate(program_);
    for (const Region &r : program_.regions) {
        if (r.kind == RegionKind::input) inputs_.push_back(value_of(r));
        if (r.kind == RegionKind::output) outputs_.push_back(value_of(r));
    }
}

std::vector<const Program *> ModelSession::programs() const {
    if (!compiled_) return {&program_};
    std::vector<const Program *> all;
    for (const graph::Segment &s : compiled_->segments)
        if (s.unit == graph::Unit::npu) all.push_back(&s.program);
    return all;
}

graph::ModelRun ModelSession::run(const std::vector<std::vector<uint8_t>> &inputs, const graph::ModelRunOptions &options) {
    if (compiled_) return graph::run_model(*compiled_, inputs, options);
    graph::check_inputs(program_.name, inputs_, inputs);
    graph::ModelRun run;
    for (const Value &v : outputs_) run.outputs.emplace_back(graph::byte_size(v), 0);
    const LaunchResult result = launch(program_, target_, bind_regions(program_, inputs, run.outputs), {.interpreter = options.interpreter, .timing = options.timing, .verifier = {}});
    run.timing.push_back(*result.timing);
    return run;
}

}  // namespace emulsion::command
