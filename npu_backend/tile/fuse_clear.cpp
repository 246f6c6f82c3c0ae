#include "npu_backend/tile/fuse_clear.h"

#include "npu_backend/tile/affine.h"

#include <algorithm>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

bool touches(const ir::Node &n, int buffer) {
    if (n.kind == ir::NodeKind::op)
        for (const ir::Operand &o : n.tile.operands)
            if (o.buffer == buffer) return true;
    return std::any_of(n.children.begin(), n.children.end(), [&](const ir::NodePtr &c) { return touches(*c, buffer); });
}

struct Update {
    ir::TileOp *contract = nullptr;
    std::vector<const ir::Node *> loops;
};

// The nest of loops, without conditions, around the only operation on `buffer`, a contraction.
std::optional<Update> update_of(ir::Node &n, int buffer) {
    Update u;
    for (ir::Node *at = &n; at;) {
        if (at->kind == ir::NodeKind::op) {
            if (at->tile.op != Opcode::op_contract) return {};
            u.contract = &at->tile;
            return u;
        }
        if (at->kind == ir::NodeKind::loop) u.loops.push_back(at);
        else if (at->kind != ir::NodeKind::block) return {};
        ir::Node *only = nullptr;
        for (const ir::NodePtr &c : at->children) {
            if (!touches(*c, buffer)) continue;
            if (only) return {};
            only = c.get();
        }
        at = only;
    }
    return {};
}

Expr size_of(const ir::TileOp &op, const ir::Operand &acc) {
    Expr product = 1;
    for (size_t d = 0; d < op.domain.size(); d++)
        if (!is_const_zero(acc.stride[d])) product *= op.domain[d].extent;
    return product;
}

bool fuse(const ir::TileOp &clear, ir::Node &next) {
    auto u = update_of(next, clear.operands[0].buffer);
    if (!u || u->contract->accumulate_when.defined()) return false;
    Expr visited = size_of(*u->contract, u->contract->operands[0]), turn = 0;
    for (const ir::Node *loop : u->loops) {
        if (expr_uses_var(u->contract->operands[0].base, loop->variable)) visited *= loop->extent;
        else turn = turn + Variable::make(Int(32), loop->variable);
        if (!can_prove(loop->extent > 0)) return false;
    }
    for (const ir::Dimension &d : u->contract->domain)
        if (d.role != Role::streamed && d.role != Role::column && d.role != Role::group && !can_prove(d.extent > 0)) return false;
    if (!can_prove(simplify(visited) == simplify(size_of(clear, clear.operands[0])))) return false;
    u->contract->accumulate_when = simplify(turn);
    return true;
}

// The next user of the buffer behind child k; operations between them do not touch it.
ir::Node *next_user(const ir::Node &block, size_t k, int buffer) {
    for (size_t j = k + 1; j < block.children.size(); j++)
        if (touches(*block.children[j], buffer)) return block.children[j].get();
    return nullptr;
}

void visit(ir::Node &n) {
    for (size_t k = 0; k + 1 < n.children.size() && n.kind == ir::NodeKind::block; k++) {
        const ir::Node &c = *n.children[k];
        if (c.kind != ir::NodeKind::op || c.tile.op != Opcode::op_clear) continue;
        ir::Node *user = next_user(n, k, c.tile.operands[0].buffer);
        if (user && fuse(c.tile, *user)) n.children.erase(n.children.begin() + static_cast<long>(k--));
    }
    for (const ir::NodePtr &c : n.children) visit(*c);
}

}  // namespace

ir::TileProgram fuse_clear(ir::TileProgram program) {
    visit(*program.body);
    return program;
}

}  // namespace emulsion
