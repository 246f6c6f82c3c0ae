#include "npu_backend/instantiate.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

void set_shape(Instance &instance, const std::string &symbol, const std::vector<int> &extents) {
    int stride = 1;
    for (size_t d = 0; d < extents.size(); d++) {
        const std::string suffix = "." + std::to_string(d);
        instance.constants[symbol + ".min" + suffix] = 0;
        instance.constants[symbol + ".extent" + suffix] = extents[d];
        instance.constants[symbol + ".stride" + suffix] = stride;
        stride *= extents[d];
    }
}

std::vector<int> shape_of(const CompileRequest &request, const std::string &name, int dimensions) {
    auto it = request.shapes.find(name);
    if (it == request.shapes.end()) return {};
    if (static_cast<int>(it->second.size()) != dimensions)
        raise(Diag::shape_rank, {.stage = request.generator}, name, dimensions, it->second.size());
    int64_t elements = 1;
    for (int e : it->second) {
        if (e < 1) raise(Diag::shape_extent, {.stage = request.generator}, name, e);
        elements *= e;
        if (elements > INT32_MAX) raise(Diag::shape_extent, {.stage = request.generator}, name, e);
    }
    return it->second;
}

void add_input(Instance &instance, const CompileRequest &request, AbstractGenerator &generator, const AbstractGenerator::ArgInfo &arg) {
    for (Parameter &p : generator.input_parameter(arg.name)) {
        if (!p.is_buffer()) continue;
        BoundBuffer b{p.name(), p.name(), p.type(), p.dimensions(), false, shape_of(request, arg.name, p.dimensions())};
        for (int d = 0, stride = 1; d < static_cast<int>(b.extents.size()); stride *= b.extents[d++]) {
            p.set_min_constraint(d, 0);
            p.set_extent_constraint(d, b.extents[d]);
            p.set_stride_constraint(d, stride);
        }
        set_shape(instance, p.name(), b.extents);
        instance.buffers.push_back(std::move(b));
    }
}

void add_output(Instance &instance, const CompileRequest &request, AbstractGenerator &generator, const AbstractGenerator::ArgInfo &arg) {
    const std::vector<Func> funcs = generator.output_func(arg.name);
    for (size_t k = 0; k < funcs.size(); k++) {
        Func f = funcs[k];
        const std::vector<int> extents = shape_of(request, arg.name, f.dimensions());
        const auto &types = f.types();
        for (size_t t = 0; t < types.size(); t++) {
            const std::string part = types.size() > 1 ? "." + std::to_string(t) : "";
            const std::string name = arg.name + (funcs.size() > 1 ? "_" + std::to_string(k) : "") + part;
            instance.buffers.push_back({name, f.name() + part, types[t], f.dimensions(), true, extents});
            instance.renames[f.name() + part] = name;
            set_shape(instance, f.name() + part, extents);
        }
        for (int d = 0; d < static_cast<int>(extents.size()); d++)
            for (OutputImageParam buffer : f.output_buffers()) buffer.dim(d).set_bounds(0, extents[d]);
        instance.outputs.push_back(f.function());
    }
}

}  // namespace

Instance instantiate(const CompileRequest &request, const TargetDesc &target) {
    const std::vector<std::string> names = GeneratorRegistry::enumerate();
    if (std::find(names.begin(), names.end(), request.generator) == names.end())
        raise(Diag::generator_unknown, {}, request.generator, fmt::format("{}", fmt::join(names, " ")));
    try {
        auto generator = GeneratorRegistry::create(request.generator, GeneratorContext(Target("x86-64-linux-no_asserts-no_bounds_query")));
        for (const auto &[name, value] : request.params) generator->set_generatorparam_value(name, value);
        generator->set_generatorparam_value("machine", target.origin.empty() ? target.name : target.origin);
        Halide::Pipeline pipeline = generator->build_pipeline();
        Instance instance;
        for (const auto &arg : generator->arginfos())
            if (arg.dir == ArgInfoDirection::Input) add_input(instance, request, *generator, arg);
        for (const auto &arg : generator->arginfos())
            if (arg.dir == ArgInfoDirection::Output) add_output(instance, request, *generator, arg);
        return instance;
    } catch (const Halide::Error &e) {
        raise(Diag::halide_refused, {.stage = request.generator}, std::string(e.what()));
    }
}

}  // namespace emulsion
