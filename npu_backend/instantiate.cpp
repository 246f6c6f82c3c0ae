#include "npu_backend/instantiate.h"

#include "npu_backend/stitch.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <bit>
#include <fmt/ranges.h>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

void set_shape(Instance &instance, const std::string &symbol, const std::vector<int> &extents, const std::vector<int> &strides) {
    for (size_t d = 0; d < extents.size(); d++) {
        const std::string suffix = "." + std::to_string(d);
        instance.constants[symbol + ".min" + suffix] = 0;
        instance.constants[symbol + ".extent" + suffix] = extents[d];
        instance.constants[symbol + ".stride" + suffix] = strides[d];
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

std::vector<int> strides_of(const CompileRequest &request, const std::string &name, const std::vector<int> &extents, bool output) {
    std::vector<int> dense;
    for (int stride = 1; int e : extents) {
        dense.push_back(stride);
        stride *= e;
    }
    auto it = request.strides.find(name);
    if (it == request.strides.end()) return dense;
    if (it->second.size() != extents.size()) raise(Diag::shape_rank, {.stage = request.generator}, name, extents.size(), it->second.size());
    for (size_t d = 0; d < extents.size(); d++)
        if (output && it->second[d] == 0 && extents[d] > 1) raise(Diag::shape_stride, {.stage = request.generator}, name, d);
    return it->second;
}

/// `bits` as launch arguments carry them: floats by their bits.
Expr scalar_constant(Type type, int64_t bits) {
    if (type == Float(32)) return make_const(type, std::bit_cast<float>(static_cast<int32_t>(bits)));
    if (type == Float(64)) return make_const(type, std::bit_cast<double>(bits));
    return make_const(type, bits);
}

}  // namespace

AbstractGeneratorPtr create_generator(const std::string &name) {
    const std::vector<std::string> names = GeneratorRegistry::enumerate();
    if (std::find(names.begin(), names.end(), name) == names.end())
        raise(Diag::generator_unknown, {}, name, fmt::format("{}", fmt::join(names, " ")));
    return GeneratorRegistry::create(name, GeneratorContext(Target("x86-64-linux-no_asserts-no_bounds_query")));
}

void add_parameter(Instance &instance, const CompileRequest &request, Parameter p, const std::string &key, bool bound) {
    if (!p.is_buffer()) {
        if (auto it = request.scalars.find(p.name()); it != request.scalars.end())
            instance.constants[p.name()] = scalar_constant(p.type(), it->second);
        return;
    }
    BoundBuffer b{p.name(), p.name(), p.type(), p.dimensions(), false, shape_of(request, key, p.dimensions())};
    b.strides = strides_of(request, key, b.extents, false);
    for (int d = 0; d < static_cast<int>(b.extents.size()); d++) {
        p.set_min_constraint(d, 0);
        p.set_extent_constraint(d, b.extents[d]);
        p.set_stride_constraint(d, b.strides[d]);
    }
    set_shape(instance, p.name(), b.extents, b.strides);
    if (bound) instance.buffers.push_back(std::move(b));
}

void add_output_func(Instance &instance, const CompileRequest &request, const std::string &name, Func f, const std::string &suffix) {
    const std::vector<int> extents = shape_of(request, name, f.dimensions());
    const std::vector<int> strides = strides_of(request, name, extents, true);
    const auto &types = f.types();
    for (size_t t = 0; t < types.size(); t++) {
        const std::string part = types.size() > 1 ? "." + std::to_string(t) : "";
        instance.buffers.push_back({name + suffix + part, f.name() + part, types[t], f.dimensions(), true, extents, strides});
        instance.renames[f.name() + part] = name + suffix + part;
        set_shape(instance, f.name() + part, extents, strides);
    }
    for (int d = 0; d < static_cast<int>(extents.size()); d++)
        for (OutputImageParam buffer : f.output_buffers()) buffer.dim(d).set_bounds(0, extents[d]).set_stride(strides[d]);
    instance.outputs.push_back(f.function());
}

Instance instantiate(const CompileRequest &request, const TargetDesc &target) {
    if (!request.parts.empty()) return stitch(request, target);
    try {
        auto generator = create_generator(request.generator);
        for (const auto &[name, value] : request.params) generator->set_generatorparam_value(name, value);
        generator->set_generatorparam_value("machine", target.origin.empty() ? target.name : target.origin);
        generator->build_pipeline();
        Instance instance;
        for (const auto &arg : generator->arginfos())
            if (arg.dir == ArgInfoDirection::Input)
                for (const Parameter &p : generator->input_parameter(arg.name)) add_parameter(instance, request, p, arg.name);
        for (const auto &arg : generator->arginfos()) {
            if (arg.dir != ArgInfoDirection::Output) continue;
            const std::vector<Func> funcs = generator->output_func(arg.name);
            for (size_t k = 0; k < funcs.size(); k++)
                add_output_func(instance, request, arg.name, funcs[k], funcs.size() > 1 ? "_" + std::to_string(k) : "");
        }
        return instance;
    } catch (const Halide::Error &e) {
        raise(Diag::halide_refused, {.stage = request.generator}, std::string(e.what()));
    }
}

}  // namespace emulsion
