#include "npu_backend/reference/reference.h"

#include "dsl/registry.h"
#include "npu_backend/reference/stages.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace emulsion {

using namespace Halide;
using Halide::Internal::AbstractGenerator, Halide::Internal::AbstractGeneratorPtr, Halide::Internal::ArgInfoDirection;

namespace {

const Target &reference_target() {
    // Baseline x86-64: no FMA, so that every float operation rounds on its own.
    static const Target target("x86-64-linux-jit-strict_float");
    return target;
}

AbstractGeneratorPtr create(const CompileRequest &request) {
    std::vector<std::string> names;
    for (const GeneratorInfo &row : registered_generators()) names.push_back(row.name);
    if (std::find(names.begin(), names.end(), request.generator) == names.end())
        raise(Diag::generator_unknown, {}, request.generator, fmt::join(names, " "));
    AbstractGeneratorPtr generator =
        Internal::GeneratorRegistry::create(request.generator, GeneratorContext(reference_target()));
    for (const auto &[name, value] : request.params) {
        if (name != "machine") generator->set_generatorparam_value(name, value);
    }
    return generator;
}

/// Names of the Halide parameters behind one output Func: one, or one per Tuple value.
std::vector<std::string> value_names(const std::string &name, size_t values) {
    if (values == 1) return {name};
    std::vector<std::string> names;
    for (size_t i = 0; i < values; i++) names.push_back(fmt::format("{}.{}", name, i));
    return names;
}

std::vector<int> estimated_extents(const Parameter &p) {
    std::vector<int> extents;
    for (int d = 0; d < p.dimensions(); d++) {
        const auto extent = Internal::as_const_int(p.extent_constraint_estimate(d));
        if (!extent) return {};
        extents.push_back(static_cast<int>(*extent));
    }
    return extents;
}

template<typename Body>
auto with_halide_errors(const std::string &generator, Body body) {
    try {
        return body();
    } catch (const Halide::Error &e) {
        std::string text = e.what();
        text.erase(text.find_last_not_of(" \n") + 1);
        raise(Diag::halide_refused, {generator, {}, 0, {}}, text);
    }
}

}  // namespace

struct Reference::State {
    std::string generator_name;
    AbstractGeneratorPtr generator;
    Pipeline pipeline;
    std::vector<Signature> signature;
    std::map<std::string, Parameter> inputs, scalars;
    std::vector<std::string> outputs;  ///< names, in the order of realize()

    void add_input(const Parameter &p) {
        signature.push_back({p.name(), p.is_buffer() ? Signature::Kind::input : Signature::Kind::scalar, p.type(),
                             p.dimensions(), p.is_buffer() ? estimated_extents(p) : std::vector<int>{}});
        (p.is_buffer() ? inputs : scalars).emplace(p.name(), p);
    }

    void add_output(const std::string &name, const Func &f) {
        const std::vector<OutputImageParam> buffers = f.output_buffers();
        const std::vector<std::string> names = value_names(name, buffers.size());
        for (size_t i = 0; i < names.size(); i++) {
            signature.push_back({names[i], Signature::Kind::output, f.types()[i], f.dimensions(),
                                 estimated_extents(buffers[i].parameter())});
            outputs.push_back(names[i]);
        }
    }

    void add_argument(const AbstractGenerator::ArgInfo &a) {
        if (a.dir == ArgInfoDirection::Input) {
            for (const Parameter &p : generator->input_parameter(a.name)) add_input(p);
            return;
        }
        const std::vector<Func> funcs = generator->output_func(a.name);
        for (size_t i = 0; i < funcs.size(); i++)
            add_output(funcs.size() == 1 ? a.name : fmt::format("{}_{}", a.name, i), funcs[i]);
    }

    void bind_scalars(const NamedScalars &values) {
        for (auto &[name, parameter] : scalars) {
            auto it = values.find(name);
            if (it == values.end()) raise(Diag::value_missing, {}, generator_name, name);
            halide_scalar_value_t bits;
            bits.u.i64 = it->second;
            parameter.set_scalar(parameter.type(), bits);
        }
    }
};

Reference::Reference(const CompileRequest &request) : state_(std::make_unique<State>()) {
    state_->generator_name = request.generator;
    with_halide_errors(request.generator, [&] {
        state_->generator = create(request);
        state_->pipeline = state_->generator->build_pipeline();
        for (const auto &a : state_->generator->arginfos()) state_->add_argument(a);
        compute_stages_once(state_->pipeline);
    });
}

Reference::~Reference() = default;
Reference::Reference(Reference &&) noexcept = default;

const std::vector<Signature> &Reference::signature() const { return state_->signature; }

std::map<std::string, std::vector<int>>
Reference::input_extents(const std::map<std::string, std::vector<int>> &known, const NamedScalars &scalars) {
    State &s = *state_;
    s.bind_scalars(scalars);
    // A bounds query returns before it touches memory; the address only says that a buffer's shape is given.
    static uint8_t nowhere[64];
    return with_halide_errors(s.generator_name, [&] {
        std::vector<Buffer<>> results;
        for (const Signature &a : s.signature) {
            if (a.kind != Signature::Kind::output) continue;
            auto it = known.find(a.name);
            if (it == known.end()) raise(Diag::value_missing, {}, s.generator_name, a.name);
            results.emplace_back(a.type, nullptr, it->second);
        }
        for (auto &[name, parameter] : s.inputs) {
            auto it = known.find(name);
            parameter.set_buffer(it == known.end() ? Buffer<>() : Buffer<>(parameter.type(), nowhere, it->second));
        }
        s.pipeline.infer_input_bounds(Realization(results), reference_target());
        std::map<std::string, std::vector<int>> extents;
        for (auto &[name, parameter] : s.inputs) {
            const Buffer<> needed = parameter.buffer();
            std::vector<int> &e = extents[name];
            // Buffers start at 0, so the box needed is [0, max].
            for (int d = 0; d < needed.dimensions(); d++) e.push_back(needed.dim(d).max() + 1);
        }
        return extents;
    });
}

void Reference::run(const NamedBuffers &inputs, const NamedBuffers &outputs, const NamedScalars &scalars) {
    State &s = *state_;
    s.bind_scalars(scalars);
    with_halide_errors(s.generator_name, [&] {
        for (auto &[name, parameter] : s.inputs) {
            auto it = inputs.find(name);
            if (it == inputs.end()) raise(Diag::value_missing, {}, s.generator_name, name);
            parameter.set_buffer(it->second);
        }
        std::vector<Buffer<>> results;
        for (const std::string &name : s.outputs) {
            auto it = outputs.find(name);
            if (it == outputs.end()) raise(Diag::value_missing, {}, s.generator_name, name);
            results.push_back(it->second);
        }
        s.pipeline.realize(Realization(results), reference_target());
    });
}

void run_reference(const CompileRequest &request, const NamedBuffers &inputs, const NamedBuffers &outputs,
                   const NamedScalars &scalars) {
    Reference(request).run(inputs, outputs, scalars);
}

}  // namespace emulsion
