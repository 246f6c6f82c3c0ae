#include "apps/emulsion/kernel_run.h"

#include "npu_backend/verify/verify.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <cstring>
#include <fmt/ranges.h>

namespace emulsion::command {

namespace {

using Kind = Signature::Kind;

Halide::Type halide_type(ElementType t) {
    const ElementTypeInfo &i = info(t);
    if (t == ElementType::bf16) return Halide::BFloat(16);
    if (i.is_float) return Halide::Float(8 * i.bytes);
    return i.is_signed ? Halide::Int(8 * i.bytes) : Halide::UInt(8 * i.bytes);
}

const Signature *find(const std::vector<Signature> &signature, const std::string &name) {
    for (const Signature &s : signature)
        if (s.name == name) return &s;
    return nullptr;
}

/// A misspelt name must not be ignored.
template<typename Map>
void check_names(const std::vector<Signature> &signature, const Map &given, bool outputs_only) {
    std::vector<std::string> legal;
    for (const Signature &s : signature)
        if (!outputs_only || s.kind == Kind::output) legal.push_back(s.name);
    for (const auto &[name, value] : given)
        if (std::find(legal.begin(), legal.end(), name) == legal.end())
            raise(Diag::name_unknown, {}, name, fmt::join(legal, " "));
}

std::optional<std::vector<int>> shape_like_an_input(const std::vector<Signature> &signature, const Shapes &shapes, int dimensions) {
    for (const Signature &s : signature) {
        if (s.kind != Kind::input || s.dimensions != dimensions) continue;
        if (auto it = shapes.find(s.name); it != shapes.end()) return it->second;
    }
    return std::nullopt;
}

void complete_outputs(const std::vector<Signature> &signature, Shapes &shapes) {
    const Shapes given = shapes;
    for (const Signature &s : signature) {
        if (s.kind != Kind::output || shapes.contains(s.name)) continue;
        if (!s.estimate.empty()) shapes[s.name] = s.estimate;
        else if (auto like = shape_like_an_input(signature, given, s.dimensions)) shapes[s.name] = *like;
        else raise(Diag::shape_missing, {}, s.name, s.dimensions);
    }
}

void complete_inputs(const std::vector<Signature> &signature, Shapes &shapes, const NamedScalars &scalars, Reference *reference) {
    Shapes needed;
    const bool incomplete = std::any_of(signature.begin(), signature.end(), [&](const Signature &s) {
        return s.kind == Kind::input && !shapes.contains(s.name);
    });
    if (incomplete && reference) needed = reference->input_extents(shapes, scalars);
    for (const Signature &s : signature) {
        if (s.kind != Kind::input || shapes.contains(s.name)) continue;
        const std::vector<int> &e = needed[s.name];
        const bool usable = static_cast<int>(e.size()) == s.dimensions && std::all_of(e.begin(), e.end(), [](int n) { return n > 0; });
        if (!usable) raise(Diag::shape_missing, {}, s.name, s.dimensions);
        shapes[s.name] = e;
    }
}

void check_ranks(const std::vector<Signature> &signature, const Shapes &shapes) {
    for (const auto &[name, extents] : shapes) {
        const Signature *s = find(signature, name);
        if (s && static_cast<int>(extents.size()) != s->dimensions) raise(Diag::shape_rank, {}, name, s->dimensions, extents.size());
        for (int e : extents)
            if (e < 1) raise(Diag::shape_extent, {}, name, e);
    }
}

}  // namespace

std::vector<Signature> signature_of(const Program &program) {
    std::vector<Signature> signature;
    for (const Region &r : program.regions) {
        if (r.kind != RegionKind::input && r.kind != RegionKind::output) continue;
        signature.push_back({r.name, r.kind == RegionKind::input ? Kind::input : Kind::output, halide_type(r.type), r.dimensions, {}});
    }
    for (const Argument &a : program.arguments)
        if (a.kind == ArgumentKind::scalar) signature.push_back({a.name, Kind::scalar, halide_type(a.type), 0, {}});
    return signature;
}

KernelRun prepare_run(const std::vector<Signature> &signature, const RunWords &words, Reference *reference) {
    check_names(signature, words.inputs, false);
    check_names(signature, words.outputs, true);
    check_names(signature, words.shapes, false);
    KernelRun run;
    run.shapes = words.shapes;
    std::map<std::string, TensorSource> sources;
    for (const Signature &s : signature) {
        const auto word = words.inputs.find(s.name);
        const std::string text = word == words.inputs.end() ? "random:1" : word->second;
        if (s.kind == Kind::scalar) {
            if (word == words.inputs.end()) raise(Diag::value_missing, {}, words.kernel, s.name);
            run.scalars[s.name] = parse_scalar(s, text);
        } else if (s.kind == Kind::input) {
            const TensorSource &source = sources.emplace(s.name, TensorSource(text)).first->second;
            if (auto own = source.extents(s)) run.shapes.emplace(s.name, *own);
        }
    }
    check_ranks(signature, run.shapes);
    complete_outputs(signature, run.shapes);
    complete_inputs(signature, run.shapes, run.scalars, reference);
    for (const Signature &s : signature)
        if (s.kind == Kind::input) run.inputs[s.name] = sources.at(s.name).make(s, run.shapes.at(s.name));
    run.outputs = empty_outputs(signature, run.shapes);
    return run;
}

std::map<std::string, halide_buffer_t *> raw_buffers(KernelRun &run) {
    std::map<std::string, halide_buffer_t *> buffers;
    for (NamedBuffers *set : {&run.inputs, &run.outputs})
        for (auto &[name, buffer] : *set) buffers[name] = buffer.raw_buffer();
    return buffers;
}

Certificate prove(const Program &program, const TargetDesc &target, const Binding &binding) {
    std::vector<RegionExtent> regions;
    for (const RegionMemory &r : binding.regions) regions.push_back({-r.origin, static_cast<int64_t>(r.bytes.size()) - r.origin});
    return verify(program, target, regions, binding.arguments);
}

NamedBuffers empty_outputs(const std::vector<Signature> &signature, const Shapes &shapes) {
    NamedBuffers outputs;
    for (const Signature &s : signature) {
        if (s.kind != Kind::output) continue;
        Halide::Buffer<> b(s.type, shapes.at(s.name));
        std::memset(b.data(), 0, b.size_in_bytes());
        outputs[s.name] = b;
    }
    return outputs;
}

}  // namespace emulsion::command
