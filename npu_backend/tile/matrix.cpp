// Contractions.   acc(n, m) += i32(a(k, m)) * i32(b(n, k))   ->   contract [col n, m, row k] acc, a, b
#include "npu_backend/tile/affine.h"
#include "npu_backend/tile/engines.h"

#include <algorithm>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

/// One factor of the product: a load minus a zero point.
struct Factor {
    const Call *load = nullptr;
    int64_t zero_point = 0;
};

bool is_self(const Expr &e, const LeafItem &item) {
    const auto *c = e.as<Call>();
    if (!c || c->name != item.storage || c->args.size() != item.index.size()) return false;
    for (size_t d = 0; d < c->args.size(); d++)
        if (!equal(c->args[d], item.index[d])) return false;
    return true;
}

std::optional<Factor> factor_of(Expr e) {
    Factor f;
    while (true) {
        if (const auto *c = e.as<Cast>()) {
            e = c->value;
        } else if (const auto *s = e.as<Sub>(); s && constant_value(s->b)) {
            f.zero_point += *constant_value(s->b);
            e = s->a;
        } else if (const auto *s = e.as<Add>(); s && constant_value(s->b)) {
            f.zero_point -= *constant_value(s->b);
            e = s->a;
        } else {
            break;
        }
    }
    f.load = e.as<Call>();
    if (!f.load || (f.load->call_type != Call::Halide && f.load->call_type != Call::Image)) return {};
    return f;
}

struct Product {
    Factor a, b;
};

std::optional<Product> product_of(Expr e) {
    while (const auto *c = e.as<Cast>()) e = c->value;
    Expr x, y;
    if (const auto *m = e.as<Mul>()) x = m->a, y = m->b;
    if (const auto *c = e.as<Call>(); c && c->is_intrinsic(Call::widening_mul)) x = c->args[0], y = c->args[1];
    if (!x.defined()) return {};
    auto a = factor_of(x), b = factor_of(y);
    if (!a || !b) return {};
    return Product{*a, *b};
}

bool varies(const ir::Operand &o, size_t d) { return !is_const_zero(o.stride[d]); }

bool has_column_name(const CutLeaf &leaf, const ir::Operand &o, const std::vector<std::string> &columns) {
    for (size_t d = 0; d < leaf.domain.size(); d++) {
        const std::string &name = leaf.domain[d].name;
        const std::string last = name.substr(name.rfind('.') + 1);
        if (varies(o, d) && std::find(columns.begin(), columns.end(), last) != columns.end()) return true;
    }
    return false;
}

// Reduced loops whose elements lie side by side in `a` feed the array rows together; the others are passes of their own.
void assign_roles(ir::TileOp &op) {
    const ir::Operand &acc = op.operands[0], &a = op.operands[1], &b = op.operands[2];
    for (size_t d = 0; d < op.domain.size(); d++) {
        const bool in_acc = varies(acc, d), in_a = varies(a, d), in_b = varies(b, d);
        Role &role = op.domain[d].role;
        role = in_acc ? (in_a && in_b ? Role::group : in_b ? Role::column : Role::streamed) : Role::tap;
    }
    Expr dense = 1;
    for (bool found = true; found;) {
        found = false;
        for (size_t d = 0; d < op.domain.size() && !found; d++) {
            if (op.domain[d].role != Role::tap || !varies(a, d) || !is_const_zero(simplify(a.stride[d] - dense))) continue;
            op.domain[d].role = Role::row;
            dense = simplify(dense * op.domain[d].extent);
            found = true;
        }
    }
    if (!is_const_one(dense)) return;
    for (ir::Dimension &d : op.domain) {  // strided operand: still one row dimension, the innermost
        if (d.role != Role::tap) continue;
        d.role = Role::row;
        return;
    }
}

Attempt contract(TileContext &context, const CutLeaf &leaf, const Product &p) {
    const LeafItem &item = leaf.body[0];
    const StageMarks marks = context.marks(item.storage);
    const auto names = names_of(leaf);
    ir::TileOp op;
    op.op = Opcode::op_contract;
    op.stage = item.storage;
    op.place = marks.place;
    op.domain = dimensions_of(leaf);
    auto acc = context.operand(context.buffer(item.storage), item.index, names);
    if (!acc) return refuse(Diag::index_not_affine, item.storage, true);
    Factor factor[2] = {p.a, p.b};
    std::optional<ir::Operand> in[2];
    for (int k = 0; k < 2; k++) {
        const int id = context.buffer(factor[k].load->name);
        if (context.program.buffers[id].space != Space::spm) raise(Diag::stage_not_staged, marks.place, factor[k].load->name);
        in[k] = context.operand(id, factor[k].load->args, names);
        if (!in[k]) return refuse(Diag::index_not_affine, factor[k].load->name, true);
        in[k]->reads = true;
        if (factor[k].zero_point < -32768 || factor[k].zero_point > 32767)
            raise(Diag::zero_point_range, marks.place, factor[k].zero_point);
    }
    if (has_column_name(leaf, *in[0], marks.columns) && !has_column_name(leaf, *in[1], marks.columns)) {
        std::swap(in[0], in[1]);
        std::swap(factor[0], factor[1]);
    }
    acc->writes = acc->reads = true;
    op.operands = {*acc, *in[0], *in[1]};
    op.imm = static_cast<int32_t>((static_cast<uint32_t>(factor[0].zero_point) & 0xffff) | (static_cast<uint32_t>(factor[1].zero_point) << 16));
    assign_roles(op);
    return {{ir::make_op(std::move(op))}, {}, {}, false};
}

Attempt initialise(TileContext &context, const CutLeaf &leaf) {
    const LeafItem &item = leaf.body[0];
    const auto names = names_of(leaf);
    ir::TileOp op;
    op.stage = item.storage;
    op.place = context.marks(item.storage).place;
    op.domain = dimensions_of(leaf);
    auto acc = context.operand(context.buffer(item.storage), item.index, names);
    if (!acc) return refuse(Diag::index_not_affine, item.storage, true);
    acc->writes = true;
    if (is_const_zero(item.values[0])) {
        op.op = Opcode::op_clear;
        op.operands = {*acc};
        return {{ir::make_op(std::move(op))}, {}, {}, false};
    }
    const auto *load = item.values[0].as<Call>();
    if (!load || (load->call_type != Call::Halide && load->call_type != Call::Image)) return refuse(Diag::not_a_contraction, "", false);
    const int id = context.buffer(load->name);
    if (context.program.buffers[id].space != Space::spm) raise(Diag::stage_not_staged, op.place, load->name);
    auto source = context.operand(id, load->args, names);
    if (!source) return refuse(Diag::index_not_affine, load->name, true);
    source->reads = true;
    op.op = Opcode::op_preload;
    op.operands = {*acc, *source};
    return {{ir::make_op(std::move(op))}, {}, {}, false};
}

}  // namespace

Attempt try_matrix(TileContext &context, const CutLeaf &leaf) {
    const LeafItem &item = leaf.body[0];
    const StageMarks marks = context.marks(item.storage);
    if (leaf.body.size() != 1 || item.values.size() != 1) raise(Diag::not_a_contraction, marks.place, std::string("it stores several values"));
    if (!leaf.predicates.empty())
        return refuse(Diag::not_a_contraction, "a guard depends on more than one loop of the domain", true);
    if (const auto *add = item.values[0].as<Add>()) {
        const bool left = is_self(add->a, item), right = is_self(add->b, item);
        if (left || right) {
            if (auto p = product_of(left ? add->b : add->a)) return contract(context, leaf, *p);
            return refuse(Diag::not_a_contraction, "the update is not acc + load * load", false);
        }
    }
    return initialise(context, leaf);
}

}  // namespace emulsion
