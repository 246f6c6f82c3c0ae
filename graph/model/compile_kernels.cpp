#include "graph/model/compile_kernels.h"

#include "runtime/diag/diag.h"
#include "runtime/emulator/emulator.h"

#include <fmt/ranges.h>

namespace emulsion::graph {

std::string request_key(const CompileRequest &r) {
    std::string key = r.parts.empty() ? r.generator : "";
    const auto params = [&](const std::map<std::string, std::string> &map) {
        for (const auto &[name, value] : map) key += fmt::format(" {}={}", name, value);
    };
    params(r.params);
    for (const GroupPart &p : r.parts) {
        key += fmt::format("; {} {}{}", p.generator, p.input, p.anchor ? " anchor" : "");
        params(p.params);
    }
    for (const auto &[name, value] : r.scalars) key += fmt::format(" {}={}", name, value);
    for (const auto &[name, extents] : r.shapes) key += fmt::format(" {}[{}]", name, fmt::join(extents, ","));
    for (const auto &[name, strides] : r.strides) key += fmt::format(" {}({})", name, fmt::join(strides, ","));
    return key;
}

KernelCompiler::KernelCompiler(const TargetDesc &target) : target_(target) {}

KernelCompiler::Entry &KernelCompiler::entry(const CompileRequest &request) {
    auto [it, fresh] = entries_.try_emplace(request_key(request));
    if (!fresh) return it->second;
    Entry &e = it->second;
    try {
        // Kernels of one request are one program: the linker names their units.
        CompileRequest anonymous = request;
        anonymous.function_name = request.parts.empty() ? request.generator : "group";
        CompileOptions unverified;  // segments are verified as a whole
        unverified.verify = false;
        e.program = emulsion::compile(anonymous, target_, unverified).program;
        e.cycles = simulate(e.program, target_, {}).cycles;
    } catch (const Error &error) {
        e.rule = error.diagnostic().message;
        e.advice = error.diagnostic().advice;
        if (info(error.diagnostic().id).kind == DiagKind::internal) throw;
    }
    return e;
}

void KernelCompiler::compile(const std::vector<Kernel *> &kernels) {
    for (Kernel *k : kernels) {
        const Entry &e = entry(k->request);
        if (e.rule.empty()) continue;
        k->unit = Unit::host;
        k->rule = e.rule;
        k->advice = e.advice;
        warn(Diag::kernel_on_host, {.stage = "model", .node = k->name}, k->name, k->request.generator, e.rule, e.advice);
    }
}

bool KernelCompiler::compile_best(Kernel &kernel, size_t anchor) {
    struct Tiles {
        const char *x, *y;
    };
    constexpr Tiles tiles[] = {{"0", "0"}, {"32", "4"}, {"16", "4"}, {"8", "2"}};
    const CompileRequest base = kernel.request;
    uint64_t best = UINT64_MAX;
    for (const Tiles &t : tiles) {
        CompileRequest r = base;
        auto &params = r.parts[anchor].params;
        params["tile_x"] = t.x, params["tile_y"] = t.y;
        if (anchor > 0) params["in_at"] = "tile", params["weights_at"] = "strip";
        const Entry &e = entry(r);
        if (!e.rule.empty() || e.cycles >= best) continue;
        best = e.cycles;
        kernel.request = r;
    }
    return best != UINT64_MAX;
}

const Program &KernelCompiler::program(const Kernel &kernel) const { return entries_.at(request_key(kernel.request)).program; }
uint64_t KernelCompiler::cycles(const Kernel &kernel) const { return entries_.at(request_key(kernel.request)).cycles; }

}  // namespace emulsion::graph
