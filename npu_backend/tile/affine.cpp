#include "npu_backend/tile/affine.h"

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

using Vars = std::vector<std::string>;

Affine constant_form(const Expr &e, const Vars &vars) { return {e, std::vector<Expr>(vars.size(), Expr(0))}; }

template<typename F>
Affine combine(const Affine &a, const Affine &b, F f) {
    Affine r{f(a.constant, b.constant), {}};
    for (size_t k = 0; k < a.coefficient.size(); k++) r.coefficient.push_back(f(a.coefficient[k], b.coefficient[k]));
    return r;
}

Affine scaled(const Affine &a, const Expr &s) {
    Affine r{a.constant * s, {}};
    for (const Expr &c : a.coefficient) r.coefficient.push_back(c * s);
    return r;
}

// (c*q*v + r) / c = q*v + r/c for Euclidean division, when every coefficient is a multiple of c.
std::optional<Affine> divided(const Affine &a, const Expr &divisor, bool modulo) {
    auto c = constant_value(divisor);
    if (!c || *c <= 0) return {};
    const Expr by = make_const(Int(32), *c);
    Affine r{modulo ? a.constant % by : a.constant / by, {}};
    for (const Expr &k : a.coefficient) {
        auto v = constant_value(k);
        if (!v || *v % *c) return {};
        r.coefficient.push_back(modulo ? Expr(0) : make_const(Int(32), *v / *c));
    }
    return r;
}

std::optional<Affine> form(const Expr &e, const Vars &vars) {
    if (free_of(e, vars)) return reads_memory(e) ? std::nullopt : std::optional(constant_form(e, vars));
    if (const auto *v = e.as<Variable>()) {
        Affine r = constant_form(0, vars);
        for (size_t k = 0; k < vars.size(); k++)
            if (vars[k] == v->name) r.coefficient[k] = 1;
        return r;
    }
    auto both = [&](const Expr &a, const Expr &b, auto f) -> std::optional<Affine> {
        auto x = form(a, vars), y = form(b, vars);
        if (!x || !y) return {};
        return combine(*x, *y, f);
    };
    if (const auto *op = e.as<Add>()) return both(op->a, op->b, [](const Expr &x, const Expr &y) { return x + y; });
    if (const auto *op = e.as<Sub>()) return both(op->a, op->b, [](const Expr &x, const Expr &y) { return x - y; });
    if (const auto *op = e.as<Mul>()) {
        const bool right = free_of(op->b, vars);
        const Expr &factor = right ? op->b : op->a;
        if (!free_of(factor, vars) || reads_memory(factor)) return {};
        auto x = form(right ? op->a : op->b, vars);
        if (!x) return {};
        return scaled(*x, factor);
    }
    if (const auto *op = e.as<Div>()) {
        auto x = form(op->a, vars);
        return x ? divided(*x, op->b, false) : std::nullopt;
    }
    if (const auto *op = e.as<Mod>()) {
        auto x = form(op->a, vars);
        return x ? divided(*x, op->b, true) : std::nullopt;
    }
    return {};
}

}  // namespace

bool free_of(const Expr &e, const Vars &variables) {
    Scope<> scope;
    for (const std::string &v : variables) scope.push(v);
    return !expr_uses_vars(e, scope);
}

bool reads_memory(const Expr &e) {
    struct Finder : IRVisitor {
        using IRVisitor::visit;
        void visit(const Call *c) override {
            found |= c->call_type == Call::Halide || c->call_type == Call::Image;
            IRVisitor::visit(c);
        }
        bool found = false;
    } f;
    e.accept(&f);
    return f.found;
}

std::optional<int64_t> constant_value(const Expr &e) {
    auto as_int = [](const Expr &x) -> std::optional<int64_t> {
        if (auto v = Halide::Internal::as_const_int(x)) return *v;
        if (auto v = Halide::Internal::as_const_uint(x)) return static_cast<int64_t>(*v);
        return {};
    };
    if (auto v = as_int(e)) return v;
    return as_int(simplify(e));
}

std::optional<Affine> affine_in(const Expr &e, const Vars &variables) {
    auto r = form(e, variables);
    if (!r) return {};
    r->constant = simplify(r->constant);
    for (Expr &c : r->coefficient) c = simplify(c);
    return r;
}

}  // namespace emulsion
