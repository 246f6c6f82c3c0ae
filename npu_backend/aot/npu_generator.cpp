#include "npu_backend/aot/npu_generator.h"

#include "npu_backend/aot/launch_pass.h"
#include "npu_backend/reference/stages.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/target_desc.h"
#include "runtime/program/container.h"

#include <charconv>

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

namespace {

void fix(Parameter p, const std::vector<int> &extents) {
    for (int d = 0, stride = 1; d < p.dimensions() && d < static_cast<int>(extents.size()); stride *= extents[d++]) {
        p.set_min_constraint(d, 0);
        p.set_extent_constraint(d, extents[d]);
        p.set_stride_constraint(d, stride);
    }
}

/// Where each region's buffer is found in the lowered pipeline: inputs keep their names, outputs go by their Func's, which
/// Halide may have numbered.
std::map<std::string, std::string> buffer_names(AbstractGenerator &generator) {
    std::map<std::string, std::string> names;
    for (const auto &a : generator.arginfos()) {
        if (a.dir == ArgInfoDirection::Input) {
            for (const Parameter &p : generator.input_parameter(a.name)) names[p.name()] = p.name();
            continue;
        }
        const std::vector<Func> funcs = generator.output_func(a.name);
        for (size_t k = 0; k < funcs.size(); k++) {
            const std::string array = funcs.size() > 1 ? "_" + std::to_string(k) : "";
            for (int t = 0; t < funcs[k].outputs(); t++) {
                const std::string part = funcs[k].outputs() > 1 ? "." + std::to_string(t) : "";
                names[a.name + array + part] = funcs[k].name() + part;
            }
        }
    }
    return names;
}

std::map<std::string, Type> scalar_types(AbstractGenerator &generator) {
    std::map<std::string, Type> types;
    for (const auto &a : generator.arginfos()) {
        if (a.dir != ArgInfoDirection::Input) continue;
        for (const Parameter &p : generator.input_parameter(a.name))
            if (!p.is_buffer()) types[p.name()] = p.type();
    }
    return types;
}

LaunchCall launch_call(const Program &program, AbstractGenerator &generator) {
    LaunchCall call;
    call.function = program.name;
    call.container = write_container(program);
    call.target = generator.context().target();
    const auto names = buffer_names(generator);
    const auto types = scalar_types(generator);
    for (const Region &r : program.regions)
        if (r.kind == RegionKind::input || r.kind == RegionKind::output) call.buffers.push_back(names.at(r.name));
    for (const Argument &a : program.arguments)
        if (a.kind == ArgumentKind::scalar) call.scalars.push_back({a.name, types.at(a.name)});
    return call;
}

}  // namespace

std::vector<int> parse_extents(const std::string &name, const std::string &text) {
    std::vector<int> extents;
    const char *at = text.data(), *const end = at + text.size();
    while (true) {
        int value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || (next != end && *next != ',')) raise(Diag::extents_malformed, {}, name, text);
        extents.push_back(value);
        if (next == end) return extents;
        at = next + 1;
    }
}

bool take_own_parameter(const std::string &name, const std::string &value, std::string &machine, CompileRequest &request) {
    constexpr std::string_view shape = "shape.";
    if (name == "machine") {
        machine = value;
        return true;
    }
    if (!name.starts_with(shape)) return false;
    const std::string buffer = name.substr(shape.size());
    request.shapes[buffer] = parse_extents(buffer, value);
    return true;
}

NpuGenerator::NpuGenerator(AbstractGeneratorPtr inner) : inner_(std::move(inner)) { request_.generator = inner_->name(); }

void NpuGenerator::set_generatorparam_value(const std::string &name, const std::string &value) {
    if (take_own_parameter(name, value, machine_, request_)) return;
    request_.params[name] = value;
    inner_->set_generatorparam_value(name, value);
}

void NpuGenerator::set_generatorparam_value(const std::string &name, const LoopLevel &level) {
    inner_->set_generatorparam_value(name, level);
}

void NpuGenerator::fix_shapes() {
    for (const auto &a : inner_->arginfos()) {
        const auto shape = request_.shapes.find(a.name);
        if (shape == request_.shapes.end()) continue;
        if (a.dir == ArgInfoDirection::Input)
            for (const Parameter &p : inner_->input_parameter(a.name)) fix(p, shape->second);
        else
            for (const Func &f : inner_->output_func(a.name))
                for (const OutputImageParam &o : f.output_buffers()) fix(o.parameter(), shape->second);
    }
}

Halide::Pipeline NpuGenerator::build_pipeline() {
    Halide::Pipeline pipeline = inner_->build_pipeline();
    if (machine_.empty()) return pipeline;
    const TargetDesc target = load_target(machine_);
    const Program program = compile(request_, target).program;
    fix_shapes();
    compute_stages_once(pipeline);
    LaunchCall call = launch_call(program, *inner_);
    call.machine = target.text;
    pipeline.add_custom_lowering_pass(new LaunchPass(std::move(call)));
    return pipeline;
}

}  // namespace emulsion
