// Computed stages.   h(x) = u16(a(x)) + a(x + 1)   ->   run h <- a   with a micro-program over [x]
#include "npu_backend/tile/affine.h"
#include "npu_backend/tile/engines.h"
#include "npu_backend/tile/micro_builder.h"

#include <algorithm>
#include <numeric>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

// The tile that an engine writes before it is stored: one slot holds the op's whole domain, laid out in the order of the
// destination's strides so that the store moves long runs.
struct OutputTile {
    int buffer;
    std::vector<int64_t> stride;
};

std::optional<OutputTile> make_output_tile(TileContext &context, const ir::TileOp &op, const ir::Operand &target, int depth, std::string &why) {
    std::vector<size_t> order(op.domain.size());
    std::iota(order.begin(), order.end(), 0);
    auto weight = [&](size_t d) { return constant_value(target.stride[d]).value_or(INT64_MAX); };
    std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return std::abs(weight(x)) < std::abs(weight(y)); });
    OutputTile tile{0, std::vector<int64_t>(op.domain.size(), 0)};
    ir::Buffer b;
    b.name = op.stage + ".tile";
    b.type = target.type;
    b.ring = depth;
    b.place = op.place;
    b.elements = 1;
    for (size_t d : order) {
        const auto extent = context.upper_bound(op.domain[d].extent);
        if (!extent) {
            why = op.domain[d].name;
            return {};
        }
        tile.stride[d] = b.elements;
        b.min.push_back(0);
        b.stride.push_back(make_const(Int(32), b.elements));
        b.extent.push_back(std::max<int64_t>(1, *extent));
        b.elements *= std::max<int64_t>(1, *extent);
    }
    tile.buffer = context.add_buffer(b);
    return tile;
}

bool same_access(const ir::Operand &a, const ir::Operand &b) {
    if (a.buffer != b.buffer || a.window || b.window || !equal(a.base, b.base)) return false;
    for (size_t d = 0; d < a.stride.size(); d++)
        if (!equal(a.stride[d], b.stride[d])) return false;
    return true;
}

bool associative(const MicroProgram &p) {
    return std::all_of(p.begin(), p.end(), [](const MicroOp &m) {
        return m.op != MicroOpcode::store || !info(m.type).is_float;
    });
}

// Which loops are independent. A stage that reads what it writes at the same place carries its dependence only along the
// loops that do not move the output; at another place, or through a data index, every loop is ordered.
void assign_roles(ir::TileOp &op) {
    const bool reorderable = associative(op.micro);
    for (const ir::Operand &w : op.operands) {
        if (!w.writes) continue;
        bool reads_back = false, exact = !w.window;
        for (const ir::Operand &r : op.operands) {
            if (!r.reads || r.buffer != w.buffer) continue;
            reads_back = true;
            exact = exact && same_access(r, w);
        }
        for (size_t d = 0; d < op.domain.size(); d++) {
            Role role = Role::streamed;
            if (w.window || (reads_back && !exact)) role = Role::serial;
            else if (is_const_zero(w.stride[d])) role = reads_back && reorderable ? Role::reduce : Role::serial;
            if (role != Role::streamed && op.domain[d].role != Role::serial) op.domain[d].role = role;
        }
    }
}

void check_output_unit(const ir::TileOp &op) {
    for (const MicroOp &m : op.micro)
        if (std::find(std::begin(output_unit_ops), std::end(output_unit_ops), m.op) == std::end(output_unit_ops)) {
            for (const MicroOpInfo &row : micro_ops)
                if (row.code == m.op) raise(Diag::drain_unsupported, op.place, std::string(row.name));
        }
}

ir::NodePtr advance(int buffer) {
    auto n = std::make_shared<ir::Node>();
    n->kind = ir::NodeKind::advance;
    n->buffer = buffer;
    return n;
}

// Redirects the op's external outputs to tiles and appends their stores.
Attempt stage_outputs(TileContext &context, ir::TileOp op, int depth) {
    std::vector<ir::NodePtr> after;
    std::vector<int> rings;
    for (ir::Operand &o : op.operands) {
        if (context.program.buffers[o.buffer].space != Space::ext) continue;
        if (o.reads) raise(Diag::output_updated_in_place, op.place, context.program.buffers[o.buffer].name);
        for (size_t d = 0; d < op.domain.size(); d++)
            if (o.window || (is_const_zero(o.stride[d]) && !is_const_one(op.domain[d].extent)))
                raise(Diag::output_updated_in_place, op.place, context.program.buffers[o.buffer].name);
        std::string why;
        auto tile = make_output_tile(context, op, o, depth, why);
        if (!tile) return refuse(Diag::output_not_tiled, why, true);
        ir::TileOp store;
        store.op = Opcode::op_store;
        store.stage = op.stage;
        store.place = op.place;
        store.domain = op.domain;
        for (ir::Dimension &d : store.domain) d.role = Role::streamed;
        ir::Operand from = o;
        from.buffer = tile->buffer;
        from.base = 0;
        for (size_t d = 0; d < from.stride.size(); d++) from.stride[d] = make_const(Int(32), tile->stride[d]);
        from.writes = false, from.reads = true;
        store.operands = {o, from};
        o = from;
        o.writes = true, o.reads = false;
        after.push_back(ir::make_op(std::move(store)));
        if (context.program.buffers[tile->buffer].ring > 1) rings.push_back(tile->buffer);
    }
    assign_roles(op);
    Attempt result{{ir::make_op(std::move(op))}, {}, {}, false};
    result.nodes.insert(result.nodes.end(), after.begin(), after.end());
    for (int ring : rings) result.nodes.push_back(advance(ring));
    return result;
}

}  // namespace

Attempt try_micro(TileContext &context, const CutLeaf &leaf, bool gather) {
    std::string stage;
    for (const LeafItem &item : leaf.body)
        if (item.let.empty()) stage = item.storage;
    const StageMarks marks = context.marks(stage);
    const bool to_external = context.program.buffers[context.buffer(stage)].space == Space::ext;
    // A store has no lane predicate: with fewer loops in the domain the guard becomes an extent or a branch.
    if (to_external && !leaf.predicates.empty()) return refuse(Diag::guard_on_output, stage, true);
    MicroBuilder builder(context, marks.place, names_of(leaf), gather);
    Expr guard = const_true();
    for (const Expr &p : leaf.predicates) guard = guard && p;
    for (const LeafItem &item : leaf.body) {
        if (!item.let.empty()) {
            builder.bind(item.let, item.value);
            continue;
        }
        Expr predicate = item.predicate.defined() ? simplify(guard && item.predicate) : simplify(guard);
        const uint16_t p = is_const_one(predicate) ? no_value : builder.value(predicate);
        const uint16_t v = builder.value(item.values[0]);
        builder.store(context.buffer(item.storage), item.index, v, p);
    }
    if (builder.needs_gather()) return refuse(Diag::index_not_affine, stage, true);

    ir::TileOp op;
    op.stage = stage;
    op.place = marks.place;
    op.domain = dimensions_of(leaf);
    op.operands = std::move(builder.operands);
    op.micro = std::move(builder.program);
    op.scalars = std::move(builder.scalars);
    const bool reads_acc = std::any_of(op.operands.begin(), op.operands.end(), [&](const ir::Operand &o) {
        return o.reads && context.program.buffers[o.buffer].space == Space::acc;
    });
    op.op = reads_acc ? Opcode::op_drain : Opcode::op_run;
    if (reads_acc) check_output_unit(op);
    if (marks.engine == "ou" && !reads_acc) raise(Diag::drain_without_accumulator, marks.place, stage);
    if (marks.engine == "mx") raise(Diag::matrix_needs_accumulator, marks.place, stage);
    return stage_outputs(context, std::move(op), marks.stage_out);
}

}  // namespace emulsion
