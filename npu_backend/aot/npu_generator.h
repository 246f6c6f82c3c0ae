// A generator compiled for a machine, seen by Halide's build tools as a stock generator.
#pragma once
#include "dsl/halide.h"
#include "npu_backend/compile.h"

namespace emulsion {

/// Wraps the registered generator `inner`. Two kinds of parameter are taken before it sees them:
///   machine=<preset or path>     the target; empty: the stock x86 pipeline, unchanged
///   shape.<buffer>=64,56,56      fixed extents, innermost first: the program gets no arguments for them
/// The built Pipeline keeps the generator's signature; its body launches the program.
class NpuGenerator : public Halide::Internal::AbstractGenerator {
public:
    explicit NpuGenerator(Halide::Internal::AbstractGeneratorPtr inner);

    std::string name() override { return inner_->name(); }
    Halide::GeneratorContext context() const override { return inner_->context(); }
    std::vector<ArgInfo> arginfos() override { return inner_->arginfos(); }
    void set_generatorparam_value(const std::string &name, const std::string &value) override;
    void set_generatorparam_value(const std::string &name, const Halide::LoopLevel &level) override;
    /// Raises whatever compile() raises.
    Halide::Pipeline build_pipeline() override;
    std::vector<Halide::Parameter> input_parameter(const std::string &n) override { return inner_->input_parameter(n); }
    std::vector<Halide::Func> output_func(const std::string &n) override { return inner_->output_func(n); }
    void bind_input(const std::string &n, const std::vector<Halide::Parameter> &v) override { inner_->bind_input(n, v); }
    void bind_input(const std::string &n, const std::vector<Halide::Func> &v) override { inner_->bind_input(n, v); }
    void bind_input(const std::string &n, const std::vector<Halide::Expr> &v) override { inner_->bind_input(n, v); }
    bool emit_cpp_stub(const std::string &path) override { return inner_->emit_cpp_stub(path); }
    bool emit_hlpipe(const std::string &path) override { return inner_->emit_hlpipe(path); }
    bool allow_out_of_order_inputs_and_outputs() const override { return inner_->allow_out_of_order_inputs_and_outputs(); }

private:
    void fix_shapes();

    Halide::Internal::AbstractGeneratorPtr inner_;
    std::string machine_;
    CompileRequest request_;
};

/// Takes machine= and shape.* out of `params`, as set_generatorparam_value does. Raises EM601 for a shape that is not a
/// list of integers. False: the parameter belongs to the generator.
bool take_own_parameter(const std::string &name, const std::string &value, std::string &machine, CompileRequest &request);

/// "64,56,56" -> {64, 56, 56}. Raises EM601.
std::vector<int> parse_extents(const std::string &name, const std::string &text);

}  // namespace emulsion
