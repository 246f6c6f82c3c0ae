#include "npu_backend/plan/rolling_storage.h"

#include "npu_backend/tile/affine.h"

#include <set>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

constexpr size_t most_rows = 64;

/// Rows used in one turn: (step * turn + symbol + offset) % fold for each offset.
struct Rows {
    int64_t fold = 0, step = 0;
    Expr symbol;
    std::set<int64_t> offsets{0};
};

struct ModFinder : IRVisitor {
    using IRVisitor::visit;
    std::vector<const Mod *> found;
    void visit(const Mod *op) override { found.push_back(op); }
};

bool spread(Rows &rows, int64_t coefficient, const Expr &extent) {
    const auto turns = constant_value(extent);
    if (!turns || rows.offsets.size() * static_cast<size_t>(*turns) > most_rows) return false;
    std::set<int64_t> all;
    for (int64_t o : rows.offsets)
        for (int64_t t = 0; t < *turns; t++) all.insert(o + t * coefficient);
    rows.offsets = std::move(all);
    return true;
}

std::optional<Rows> rows_of(const RollingAccess &access, const std::string &loop) {
    ModFinder finder;
    access.operand->base.accept(&finder);
    if (finder.found.size() != 1) return {};
    const Mod *mod = finder.found[0];
    std::vector<std::string> variables{loop};
    for (const ir::Node *n : access.inner) variables.push_back(n->variable);
    const auto fold = constant_value(mod->b);
    const auto a = affine_in(mod->a, variables);
    if (!fold || !a) return {};
    const auto step = constant_value(a->coefficient[0]);
    if (!step) return {};
    Rows rows{*fold, *step, a->constant};
    for (size_t k = 0; k < access.inner.size(); k++) {
        const auto c = constant_value(a->coefficient[k + 1]);
        if (!c || !spread(rows, *c, access.inner[k]->extent)) return {};
    }
    return rows;
}

}  // namespace

int rolling_distance(const RollingAccess &writer, const RollingAccess &reader, const std::string &loop) {
    const auto w = rows_of(writer, loop), r = rows_of(reader, loop);
    if (!w || !r || w->fold != r->fold || w->step != r->step) return 1;
    const auto shift = constant_value(w->symbol - r->symbol);
    if (!shift) return 1;
    for (int64_t turns = 1; turns < w->fold; turns++)
        for (int64_t a : w->offsets)
            for (int64_t b : r->offsets)
                if ((turns * w->step + *shift + a - b) % w->fold == 0) return static_cast<int>(turns);
    return static_cast<int>(w->fold);
}

}  // namespace emulsion
