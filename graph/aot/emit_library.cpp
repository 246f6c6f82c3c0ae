#include "graph/aot/emit_library.h"

#include "dsl/halide.h"
#include "graph/kernel/tensors.h"
#include "npu_backend/aot/launch_pass.h"
#include "runtime/diag/diag.h"
#include "runtime/program/container.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace emulsion::graph {
namespace {

using namespace Halide;

Type type_of(const Value &v) { return halide_type(*info(v.type).element); }

std::vector<int> buffer_extents(const Value &v) {
    std::vector<int> extents;
    for (int64_t e : extents_of(v.shape, v.name)) extents.insert(extents.begin(), static_cast<int>(e));
    return extents.empty() ? std::vector<int>{1} : extents;
}

void fix(Parameter p, const std::vector<int> &extents) {
    for (int d = 0, stride = 1; d < static_cast<int>(extents.size()); stride *= extents[static_cast<size_t>(d++)]) {
        p.set_min_constraint(d, 0);
        p.set_extent_constraint(d, extents[static_cast<size_t>(d)]);
        p.set_stride_constraint(d, stride);
    }
}

/// A pipeline with the model's signature. Its stages only name the buffers, so that Halide checks them: the launch replaces them.
class Shell {
public:
    explicit Shell(const Graph &g) {
        for (ValueId v : g.inputs) add_input(g.value(v));
        for (ValueId v : g.outputs) add_output(g.value(v));
    }

    std::vector<ImageParam> inputs;
    std::vector<Func> outputs;

    std::vector<Halide::Argument> arguments() const { return {inputs.begin(), inputs.end()}; }

private:
    std::set<std::string> names_;

    std::string unique(const std::string &name) {
        std::string candidate = identifier(name);
        for (int n = 1; !names_.insert(candidate).second; n++) candidate = identifier(name) + "_" + std::to_string(n);
        return candidate;
    }

    void add_input(const Value &v) {
        const std::vector<int> extents = buffer_extents(v);
        inputs.emplace_back(type_of(v), static_cast<int>(extents.size()), unique(v.name));
        fix(inputs.back().parameter(), extents);
    }

    void add_output(const Value &v) {
        const std::vector<int> extents = buffer_extents(v);
        const std::vector<Var> all = {Var("x"), Var("y"), Var("z"), Var("w"), Var("v"), Var("u"), Var("t"), Var("s")};
        Func f(unique(v.name));
        Expr any = Internal::make_zero(type_of(v));
        for (const ImageParam &in : inputs) any = any + cast(type_of(v), in(std::vector<Expr>(static_cast<size_t>(in.dimensions()), 0)));
        f(std::vector<Var>(all.begin(), all.begin() + static_cast<ptrdiff_t>(extents.size()))) = any;
        fix(f.output_buffer().parameter(), extents);
        outputs.push_back(f);
    }
};

}  // namespace

std::string identifier(const std::string &name) {
    std::string id = name;
    for (char &c : id)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return id.empty() || std::isdigit(static_cast<unsigned char>(id[0])) ? "_" + id : id;
}

void emit_library(const CompiledModel &model, const LibraryOptions &options) {
    if (!model.on_npu_alone()) {
        const auto host = std::count_if(model.kernels.begin(), model.kernels.end(), [](const Kernel &k) { return k.unit == Unit::host; });
        raise(Diag::model_has_host_parts, {.stage = "library"}, model.graph.name, host);
    }
    Shell shell(model.graph);
    Target target(options.host);
    if (options.function.find("::") != std::string::npos) target.set_feature(Target::CPlusPlusMangling);
    LaunchCall call;
    call.function = identifier(options.function);
    call.container = write_container(model.segments[0].program);
    call.machine = model.target.text;
    for (const ImageParam &in : shell.inputs) call.buffers.push_back(in.name());
    for (const Func &out : shell.outputs) call.buffers.push_back(out.name());
    call.target = target;
    Pipeline pipeline(shell.outputs);
    pipeline.add_custom_lowering_pass(new LaunchPass(std::move(call)));
    try {
        pipeline.compile_to({{OutputFileType::static_library, options.base + ".a"},
                             {OutputFileType::c_header, options.base + ".h"},
                             {OutputFileType::registration, options.base + ".registration.cpp"}},
                            shell.arguments(), options.function, target);
    } catch (const Halide::Error &e) {
        raise(Diag::halide_refused, {.stage = "library"}, e.what());
    }
}

}  // namespace emulsion::graph
