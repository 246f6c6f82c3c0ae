#include "npu_backend/tile/leaf.h"

#include "npu_backend/tile/affine.h"

#include <algorithm>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

void add_conjuncts(const Expr &e, std::vector<Expr> &out) {
    if (const auto *a = e.as<And>()) {
        add_conjuncts(a->a, out);
        add_conjuncts(a->b, out);
    } else if (!is_const_one(e)) {
        out.push_back(e);
    }
}

bool collect_body(const Stmt &s, std::vector<LeafItem> &body) {
    if (const auto *b = s.as<Block>()) return collect_body(b->first, body) && collect_body(b->rest, body);
    if (const auto *a = s.as<Atomic>()) return collect_body(a->body, body);
    if (s.as<Evaluate>()) return true;
    if (const auto *l = s.as<LetStmt>()) {
        body.push_back({.let = l->name, .value = l->value, .storage = {}, .index = {}, .values = {}, .predicate = {}});
        return collect_body(l->body, body);
    }
    const auto *p = s.as<Provide>();
    if (!p) return false;
    body.push_back({.let = {}, .value = {}, .storage = p->name, .index = p->args, .values = p->values, .predicate = p->predicate});
    return true;
}

void map_expressions(Leaf &leaf, size_t loops_from, const std::function<Expr(const Expr &)> &f) {
    for (size_t k = loops_from; k < leaf.loops.size(); k++) leaf.loops[k].extent = f(leaf.loops[k].extent);
    for (Expr &c : leaf.conditions) c = f(c);
    for (LeafItem &item : leaf.body) {
        if (item.value.defined()) item.value = f(item.value);
        if (item.predicate.defined()) item.predicate = f(item.predicate);
        for (Expr &e : item.index) e = f(e);
        for (Expr &e : item.values) e = f(e);
    }
}

// condition <=> slope * v + rest <= 0, for an integer slope.
struct Linear {
    int64_t slope;
    Expr rest;
};

std::optional<Linear> linear_in(const Expr &condition, const std::string &v) {
    Expr difference;
    if (const auto *op = condition.as<LE>()) difference = op->a - op->b;
    if (const auto *op = condition.as<LT>()) difference = op->a - op->b + 1;
    if (const auto *op = condition.as<GE>()) difference = op->b - op->a;
    if (const auto *op = condition.as<GT>()) difference = op->b - op->a + 1;
    if (!difference.defined() || difference.type() != Int(32)) return {};
    auto a = affine_in(difference, {v});
    if (!a) return {};
    auto slope = constant_value(a->coefficient[0]);
    if (!slope || *slope == 0) return {};
    return Linear{*slope, a->constant};
}

// Clips domain loop k of `c` by slope*v + rest <= 0: v <= -rest/slope, or v >= ceil(rest/-slope) and the counter starts there.
void clip(CutLeaf &c, size_t k, const Linear &l) {
    LeafLoop &loop = c.domain[k];
    if (l.slope > 0) {
        loop.extent = simplify(min(loop.extent, (0 - l.rest) / make_const(Int(32), l.slope) + 1));
        return;
    }
    const Expr first = simplify(max(0, (l.rest + make_const(Int(32), -l.slope - 1)) / make_const(Int(32), -l.slope)));
    loop.extent = simplify(loop.extent - first);
    const Expr shifted = Variable::make(Int(32), loop.name) + first;
    auto shift = [&](Expr &e) {
        if (e.defined()) e = simplify(substitute(loop.name, shifted, e));
    };
    for (LeafItem &item : c.body) {
        shift(item.value), shift(item.predicate);
        for (Expr &e : item.index) shift(e);
        for (Expr &e : item.values) shift(e);
    }
    for (Expr &e : c.predicates) shift(e);
}

}  // namespace

std::optional<Leaf> match_leaf(const Stmt &s) {
    Leaf leaf;
    std::vector<std::pair<std::string, Expr>> minima;
    Stmt at = s;
    while (true) {
        if (const auto *f = at.as<For>()) {
            leaf.loops.push_back({f->name, f->extent});
            minima.emplace_back(f->name, f->min);
            at = f->body;
        } else if (const auto *c = at.as<IfThenElse>(); c && !c->else_case.defined()) {
            add_conjuncts(c->condition, leaf.conditions);
            at = c->then_case;
        } else if (const auto *a = at.as<Atomic>()) {
            at = a->body;
        } else {
            break;
        }
    }
    if (!collect_body(at, leaf.body) || leaf.body.empty()) return {};
    // Outermost last: a minimum may mention outer loops, whose own shift is applied afterwards.
    for (size_t k = minima.size(); k-- > 0;) {
        const auto &[name, minimum] = minima[k];
        if (is_const_zero(minimum)) continue;
        const Expr shifted = Variable::make(Int(32), name) + minimum;
        map_expressions(leaf, k + 1, [&](const Expr &e) { return simplify(substitute(name, shifted, e)); });
    }
    return leaf;
}

std::optional<CutLeaf> cut(const Leaf &leaf, int rank) {
    CutLeaf c;
    const size_t split = leaf.loops.size() - rank;
    c.control.assign(leaf.loops.begin(), leaf.loops.begin() + split);
    c.domain.assign(leaf.loops.rbegin(), leaf.loops.rbegin() + rank);
    c.body = leaf.body;
    std::vector<std::string> names;
    for (const LeafLoop &l : c.domain) names.push_back(l.name);
    for (const LeafLoop &l : c.domain)
        if (!free_of(l.extent, names)) return {};
    for (const Expr &condition : leaf.conditions) {
        if (free_of(condition, names) && !reads_memory(condition)) {
            c.control_conditions.push_back(condition);
            continue;
        }
        c.predicates.push_back(condition);
    }
    for (size_t p = 0; p < c.predicates.size();) {
        const Expr predicate = c.predicates[p];
        std::optional<Linear> linear;
        size_t k = 0;
        for (; k < c.domain.size() && !linear; k++) {
            std::vector<std::string> others;
            for (const std::string &n : names)
                if (n != c.domain[k].name) others.push_back(n);
            if (free_of(predicate, others) && !reads_memory(predicate)) linear = linear_in(predicate, c.domain[k].name);
        }
        if (!linear) {
            p++;
            continue;
        }
        c.predicates.erase(c.predicates.begin() + p);
        clip(c, k - 1, *linear);
    }
    return c;
}

}  // namespace emulsion
