// Copies.   staged(x, y) = in(x, y + 8*yo)      ->   load staged <- in{8*yo*stride}
#include "npu_backend/tile/affine.h"
#include "npu_backend/tile/engines.h"

#include <climits>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

constexpr std::string_view fill_names[] = {"constant_exterior", "repeat_edge", "repeat_image", "mirror_image", "mirror_interior"};

struct Source {
    const Call *call;            ///< what is read
    const Call *boundary = nullptr;
};

std::optional<Source> pure_source(const Expr &value) {
    const auto *c = value.as<Call>();
    if (!c) return {};
    if (c->call_type == Call::Halide || c->call_type == Call::Image) return Source{c};
    if (c->name.rfind("emulsion.fill.", 0) != 0) return {};
    const auto *inner = c->args[1].as<Call>();
    if (!inner || (inner->call_type != Call::Halide && inner->call_type != Call::Image)) return {};
    return Source{inner, c};
}

// Each bounded source dimension must follow one domain loop at unit step, so that the load engine can test its coordinate.
// A bounded coordinate that no loop moves gets a loop of one turn.
std::shared_ptr<ir::FillSpec> boundary_of(const Call *c, const CutLeaf &leaf, const ir::Buffer &source, ir::TileOp &op,
                                          ir::Operand &destination, ir::Operand &stream, std::string &why) {
    const auto names = names_of(leaf);
    auto fill = std::make_shared<ir::FillSpec>();
    fill->boxed.assign(names.size(), false);
    fill->origin.assign(names.size(), Expr(0)), fill->lo = fill->hi = fill->origin;
    const std::string mode = c->name.substr(14);
    for (size_t m = 0; m < std::size(fill_names); m++)
        if (mode == fill_names[m]) fill->mode = static_cast<FillMode>(m);
    if (fill->mode == FillMode::constant) {
        const auto bits = constant_bits(c->args[0]);
        if (!bits) return why = "the fill value is not a constant", nullptr;
        fill->value = *bits;
    }
    stream.base = 0;
    stream.stride.assign(names.size(), Expr(0));
    for (size_t d = 0; 2 + 3 * d + 2 < c->args.size(); d++) {
        const Expr coordinate = c->args[2 + 3 * d], lo = c->args[3 + 3 * d], hi = c->args[4 + 3 * d];
        auto a = affine_in(coordinate, names);
        if (!a) return why = "a coordinate is not affine", nullptr;
        const bool bounded = !(constant_value(lo) == INT_MIN && constant_value(hi) == INT_MAX);
        int loop = -1;
        for (size_t k = 0; k < names.size(); k++) {
            if (is_const_zero(a->coefficient[k])) continue;
            if (bounded && (loop >= 0 || !is_const_one(a->coefficient[k]))) return why = "a bounded coordinate is not loop + offset", nullptr;
            loop = static_cast<int>(k);
            stream.stride[k] = simplify(stream.stride[k] + a->coefficient[k] * source.stride[d]);
        }
        if (!bounded) {
            stream.base += (a->constant - source.min[d]) * source.stride[d];
            continue;
        }
        if (loop < 0) {
            if (op.domain.size() >= max_rank) return why = "more dimensions than the machine has", nullptr;
            loop = static_cast<int>(op.domain.size());
            op.domain.push_back({"", 1, Role::streamed});
            destination.stride.push_back(0);
            stream.stride.push_back(source.stride[d]);
            fill->boxed.push_back(false);
            fill->origin.push_back(0), fill->lo.push_back(0), fill->hi.push_back(0);
        }
        if (fill->boxed[loop]) return why = "two bounded coordinates share a loop", nullptr;
        fill->boxed[loop] = true;
        fill->origin[loop] = a->constant;
        fill->lo[loop] = lo;
        fill->hi[loop] = hi;
        stream.base -= source.min[d] * source.stride[d];  // the stream's base is coordinate 0
    }
    stream.base = simplify(stream.base);
    return fill;
}

}  // namespace

Attempt try_transfer(TileContext &context, const CutLeaf &leaf) {
    if (leaf.body.size() != 1 || !leaf.body[0].let.empty() || !leaf.predicates.empty() || leaf.body[0].values.size() != 1)
        return refuse(try_another, "more than one plain copy", false);
    const LeafItem &item = leaf.body[0];
    auto source = pure_source(item.values[0]);
    if (!source) return refuse(try_another, "the value is computed", false);
    const int from = source->call->call_type == Call::Image && source->call->image.defined() ? context.constant_buffer(source->call->image)
                                                                                            : context.buffer(source->call->name);
    const int to = context.buffer(item.storage);
    const ir::Buffer &src = context.program.buffers[from], &dst = context.program.buffers[to];
    const StageMarks marks = context.marks(item.storage);
    if (src.space == Space::acc || dst.space == Space::acc) return refuse(try_another, "accumulator", false);
    if (src.space == Space::ext && dst.space == Space::ext) raise(Diag::stage_not_staged, marks.place, src.name);

    ir::TileOp op;
    op.stage = item.storage;
    op.place = marks.place;
    op.domain = dimensions_of(leaf);
    auto write = context.operand(to, item.index, names_of(leaf));
    if (!write) return refuse(Diag::index_not_affine, dst.name, true);
    std::optional<ir::Operand> read;
    if (source->boundary) {
        if (src.space == Space::spm && dst.space == Space::ext) return refuse(try_another, "boundary on a store", false);
        read = context.operand(from, std::vector<Expr>(src.min.size(), Expr(0)), names_of(leaf));
        std::string why;
        op.fill = boundary_of(source->boundary, leaf, src, op, *write, *read, why);
        if (!op.fill) return refuse(Diag::index_not_affine, why, true);
    } else {
        read = context.operand(from, source->call->args, names_of(leaf));
        if (!read) return refuse(Diag::index_not_affine, src.name, true);
    }
    write->writes = true;
    read->reads = true;
    op.op = src.space == Space::ext ? Opcode::op_load : dst.space == Space::ext ? Opcode::op_store : Opcode::op_copy;
    op.operands = {*write, *read};
    return {{ir::make_op(std::move(op))}, {}, {}, false};
}

}  // namespace emulsion
