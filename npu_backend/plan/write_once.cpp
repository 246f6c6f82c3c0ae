#include "npu_backend/plan/write_once.h"

#include "npu_backend/tile/affine.h"

#include <algorithm>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

bool empty_after_first_turn(const ir::TileOp &t, const std::string &variable) {
    Scope<Interval> later;
    later.push(variable, Interval(1, Interval::pos_inf()));
    return std::any_of(t.domain.begin(), t.domain.end(), [&](const ir::Dimension &d) {
        return expr_uses_var(d.extent, variable) && can_prove(d.extent <= 0, later);
    });
}

struct Step {
    int64_t stride, extent;
};

// Positions sum(i * stride) are distinct if each step clears all that the smaller ones reach.
bool distinct(std::vector<Step> steps) {
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.stride < b.stride; });
    int64_t reach = 1;
    for (const Step &s : steps) {
        if (s.extent <= 1) continue;
        if (s.stride < reach) return false;
        reach += s.stride * (s.extent - 1);
    }
    return true;
}

// Indices stay inside their dimension, so steps of different dimensions never meet: each dimension is judged alone. That
// matters for ragged tiles, whose last turn reaches less far than its step suggests.
bool distinct_by_dimension(const std::vector<Step> &steps, const ir::Buffer &buffer) {
    std::vector<int64_t> strides;
    for (const Expr &s : buffer.stride) {
        const auto v = constant_value(s);
        if (!v) return false;
        strides.push_back(*v);
    }
    std::sort(strides.begin(), strides.end());
    for (size_t d = 0; d < strides.size(); d++) {
        const int64_t next = d + 1 < strides.size() ? strides[d + 1] : INT64_MAX;
        std::vector<Step> mine;
        for (const Step &s : steps) {
            if (s.stride < strides[d] || s.stride >= next) continue;
            if (s.stride % strides[d]) return false;
            mine.push_back({s.stride / strides[d], s.extent});
        }
        if (!distinct(mine)) return false;
    }
    return std::none_of(steps.begin(), steps.end(), [](const Step &s) { return s.stride == 0 && s.extent > 1; });
}

}  // namespace

bool writes_once(const ir::TileOp &operation, const ir::Operand &written, const ir::Buffer &buffer,
                 const std::vector<const ir::Node *> &loops) {
    std::map<std::string, Expr> first;  // loops that only matter in their first turn
    std::vector<const ir::Node *> moving;
    for (const ir::Node *l : loops) {
        if (empty_after_first_turn(operation, l->variable)) first[l->variable] = 0;
        else moving.push_back(l);
    }
    Scope<Interval> turns;
    std::vector<std::string> names;
    for (const ir::Node *l : moving) {
        const auto n = constant_value(l->extent);
        if (!n) return false;
        turns.push(l->variable, Interval(0, make_const(Int(32), *n - 1)));
        names.push_back(l->variable);
    }
    auto bound = [&](const Expr &e) -> std::optional<int64_t> {
        const Expr b = find_constant_bound(simplify(substitute(first, e)), Direction::Upper, turns);
        return b.defined() ? constant_value(b) : std::nullopt;
    };
    const auto base = affine_in(simplify(substitute(first, written.base)), names);
    if (!base) return false;
    std::vector<Step> steps;
    auto add = [&](const Expr &stride, const Expr &extent) {
        const auto s = constant_value(stride), n = bound(extent);
        if (s && n) steps.push_back({std::abs(*s), *n});
        return s && n;
    };
    for (size_t k = 0; k < moving.size(); k++)
        if (!add(base->coefficient[k], moving[k]->extent)) return false;
    for (size_t d = 0; d < operation.domain.size(); d++)
        if (!add(written.stride[d], operation.domain[d].extent)) return false;
    return distinct_by_dimension(steps, buffer);
}

}  // namespace emulsion
