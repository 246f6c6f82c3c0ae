#include "npu_backend/stitch.h"

#include "dsl/stitch.h"
#include "runtime/diag/diag.h"

#include <algorithm>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

/// Gives a part's parameters their names in the group, and calls `feeder` where the part reads its fed input.
class Rewire : public IRMutator {
    using IRMutator::visit;

    Expr visit(const Call *op) override {
        if (op->call_type != Call::Image) return IRMutator::visit(op);
        std::vector<Expr> args;
        for (const Expr &a : op->args) args.push_back(mutate(a));
        if (feeder && op->name == fed) return Call::make(feeder->function(), args, 0);
        const auto it = parameters.find(op->name);
        return it == parameters.end() ? IRMutator::visit(op) : Call::make(it->second, args);
    }

    Expr visit(const Variable *op) override {
        if (!op->param.defined()) return op;
        const auto it = parameters.find(op->param.name());
        if (it == parameters.end()) return op;
        return Variable::make(op->type, it->second.name() + op->name.substr(op->param.name().size()), it->second);
    }

public:
    std::map<std::string, Parameter> parameters;  ///< by old name
    std::string fed;
    const Func *feeder = nullptr;
};

struct Part {
    AbstractGeneratorPtr generator;
    StitchPart *role = nullptr;
    Func out;
};

Part build(const GroupPart &row, const TargetDesc &target) {
    Part part;
    part.generator = create_generator(row.generator);
    for (const auto &[name, value] : row.params) part.generator->set_generatorparam_value(name, value);
    part.generator->set_generatorparam_value("machine", target.origin.empty() ? target.name : target.origin);
    part.generator->set_generatorparam_value("stitched", "true");
    part.generator->build_pipeline();
    part.role = dynamic_cast<StitchPart *>(part.generator.get());
    std::vector<Func> outs;
    for (const auto &arg : part.generator->arginfos())
        if (arg.dir == ArgInfoDirection::Output)
            for (const Func &f : part.generator->output_func(arg.name)) outs.push_back(f);
    if (!part.role || outs.size() != 1)
        raise(Diag::stitch_parts, {.stage = row.generator}, fmt::format("generator \"{}\" has {} outputs", row.generator, outs.size()));
    part.out = outs[0];
    return part;
}

Parameter renamed(const Parameter &p, const std::string &name) {
    return p.is_buffer() ? Parameter(p.type(), true, p.dimensions(), name) : Parameter(p.type(), false, 0, name);
}

/// Renames the parameters of part `k`, feeds it, and adds its buffers to the instance.
void wire(Instance &instance, const CompileRequest &request, const std::vector<Part> &parts, size_t k) {
    const GroupPart &row = request.parts[k];
    Rewire rewire;
    bool found = row.input.empty();
    for (const auto &arg : parts[k].generator->arginfos()) {
        if (arg.dir != ArgInfoDirection::Input) continue;
        for (const Parameter &p : parts[k].generator->input_parameter(arg.name)) {
            const bool fed = p.name() == row.input;
            found |= fed;
            Parameter q = renamed(p, fmt::format("p{}_{}", k, p.name()));
            rewire.parameters.emplace(p.name(), q);
            add_parameter(instance, request, q, q.name(), !fed);
        }
    }
    if (!found) raise(Diag::stitch_parts, {.stage = row.generator}, fmt::format("\"{}\" has no input \"{}\"", row.generator, row.input));
    if (k > 0) {
        rewire.fed = row.input;
        rewire.feeder = &parts[k - 1].out;
    }
    // The part's own Funcs alone: what feeds it was rewired before.
    std::map<std::string, Function> own = build_environment({parts[k].out.function()});
    for (size_t before = 0; before < k; before++)
        for (const auto &[name, f] : build_environment({parts[before].out.function()})) own.erase(name);
    for (auto &[name, f] : own) f.mutate(&rewire);
}

void schedule(const CompileRequest &request, std::vector<Part> &parts) {
    const auto anchor_row = std::find_if(request.parts.begin(), request.parts.end(), [](const GroupPart &p) { return p.anchor; });
    if (anchor_row == request.parts.end()) raise(Diag::stitch_parts, {.stage = request.generator}, std::string("no part is the anchor"));
    const size_t anchor = anchor_row - request.parts.begin();
    bool inlined = true;
    for (size_t k = anchor + 1; k < parts.size(); k++) inlined &= parts[k].role->fits_output_unit();
    const StitchPart::Anchor at = parts[anchor].role->schedule_anchor(parts.back().out, inlined);
    for (size_t k = 0; k < anchor; k++) parts[k].role->schedule_producer(at);
    for (size_t k = anchor + 1; k < parts.size(); k++) parts[k].role->schedule_epilogue(at, request.parts[k].input);
}

}  // namespace

Instance stitch(const CompileRequest &request, const TargetDesc &target) {
    try {
        std::vector<Part> parts;
        for (const GroupPart &row : request.parts) parts.push_back(build(row, target));
        Instance instance;
        for (size_t k = 0; k < parts.size(); k++) wire(instance, request, parts, k);
        schedule(request, parts);
        add_output_func(instance, request, "out", parts.back().out);
        return instance;
    } catch (const Halide::Error &e) {
        raise(Diag::halide_refused, {.stage = request.generator}, std::string(e.what()));
    }
}

}  // namespace emulsion
