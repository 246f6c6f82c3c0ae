#include "npu_backend/lower/lower.h"

#include "npu_backend/tile/affine.h"
#include "runtime/diag/diag.h"

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

// skip_stages is left out as well: it guards a producer by the condition under which a select uses it, while our selects read
// both sides and the verifier wants every byte read to be written.
// fork_async_producers, memoisation, tracing and everything from storage flattening on are left out on purpose: tokens and
// ring slots are ours, computed from what operations read and write. See docs/design/lowering.md.
Stmt stock_passes(std::vector<Function> &outputs, std::map<std::string, Function> &env, const Target &t) {
    lower_target_query_ops(env, t);
    strictify_float(env, t);
    for (Function &f : outputs) Func(f).compute_root().store_root();
    for (auto &[name, f] : env) f.lock_loop_levels();
    env = wrap_func_calls(env);
    auto [order, fused] = realization_order(outputs, env);
    simplify_specializations(env);
    bool any_memoized = false;
    Stmt s = schedule_functions(outputs, fused, env, t, any_memoized);
    s = add_parameter_checks(std::vector<Stmt>{}, s, t);
    FuncValueBounds bounds = compute_function_value_bounds(order, env);
    s = clamp_unsafe_accesses(s, env, bounds);
    s = bounds_inference(s, outputs, order, fused, env, bounds, t);
    s = add_split_factor_checks(s, env);
    s = remove_extern_loops(s);
    s = sliding_window(s, env);
    s = uniquify_variable_names(s);
    s = simplify(s, false);
    s = simplify_correlated_differences(s);
    s = allocation_bounds_inference(s, env, bounds);
    s = add_image_checks(s, outputs, t, order, env, bounds, false);
    s = remove_undef(s);
    s = storage_folding(s, env);
    s = lower_safe_promises(s);
    s = split_tuples(s, env);
    s = simplify_correlated_differences(s);
    return bound_small_allocations(s);
}

// Directives that pass every stock pass and would then be lost.
void refuse_unsupported(const Function &f) {
    // double_buffer sets async together with a ring: that is permission to overlap, which tokens give anyway.
    if (f.schedule().async() && !f.schedule().ring_buffer().defined()) raise(Diag::async_unsupported, {.stage = f.name()}, f.name());
    if (f.has_extern_definition()) raise(Diag::extern_unsupported, {.stage = f.name()}, f.name());
}

// A let whose value reads memory must stay where it is: a store may come between it and its use.
class SubstitutePureLets : public IRMutator {
    using IRMutator::visit;

    // ".extent.0" of "out.extent.0"; loop variables such as "out.s0.x" look alike but for the middle.
    static bool names_a_buffer_field(const std::string &suffix) {
        return suffix.rfind(".min.", 0) == 0 || suffix.rfind(".extent.", 0) == 0 || suffix.rfind(".stride.", 0) == 0;
    }

    /// The body with `value` for `name`. One walk for all lets: substituting them one after another would walk the rest of
    /// the program once for each.
    template<typename Body>
    auto bind(const std::string &name, const Expr &value, const Body &body) {
        ScopedBinding<Expr> bound(lets_, name, mutate(value));
        return mutate(body);
    }

    Expr visit(const Let *op) override { return bind(op->name, op->value, op->body); }
    Stmt visit(const LetStmt *op) override {
        if (!reads_memory(op->value)) return bind(op->name, op->value, op->body);
        ScopedBinding<Expr> hidden(lets_, op->name, Variable::make(op->value.type(), op->name));
        return IRMutator::visit(op);
    }
    Expr visit(const Variable *op) override {
        if (const Expr *value = lets_.find(op->name)) return *value;
        if (auto it = constants.find(op->name); it != constants.end()) return it->second;
        const size_t dot = op->name.rfind('.', op->name.rfind('.') - 1);
        if (dot == std::string::npos || !names_a_buffer_field(op->name.substr(dot))) return op;
        auto it = renames.find(op->name.substr(0, dot));
        return it == renames.end() ? Expr(op) : Variable::make(op->type, it->second + op->name.substr(dot));
    }
    // Launch checks are made by the stock wrapper and the loader; here they only get in the way of loop nests.
    Stmt visit(const AssertStmt *) override { return Evaluate::make(0); }

    Scope<Expr> lets_;

public:
    SubstitutePureLets(const std::map<std::string, Expr> &c, const std::map<std::string, std::string> &r) : constants(c), renames(r) {}
    const std::map<std::string, Expr> &constants;
    const std::map<std::string, std::string> &renames;
};

class RemoveLikely : public IRMutator {
    using IRMutator::visit;
    Expr visit(const Call *op) override {
        if (op->is_intrinsic({Call::likely, Call::likely_if_innermost, Call::promise_clamped, Call::unsafe_promise_clamped}))
            return mutate(op->args[0]);
        return IRMutator::visit(op);
    }
};

}  // namespace

Lowered lower(const std::vector<Function> &outputs, const std::map<std::string, Expr> &constants,
              const std::map<std::string, std::string> &renames) {
    try {
        auto [outs, env] = deep_copy(outputs, build_environment(outputs));
        for (const auto &[name, f] : env) refuse_unsupported(f);
        const Target target("x86-64-linux-no_asserts-no_bounds_query");
        Lowered result;
        for (const Function &f : outs) result.outputs.push_back(f.name());
        Stmt s = stock_passes(outs, env, target);
        SubstitutePureLets substitute_lets(constants, renames);
        s = simplify(RemoveLikely().mutate(substitute_lets.mutate(s)));
        result.stmt = substitute_lets.mutate(s);  // simplify names common parts of loop bounds again
        result.environment = std::move(env);
        return result;
    } catch (const Halide::Error &e) {
        raise(Diag::halide_refused, {}, std::string(e.what()));
    }
}

}  // namespace emulsion
