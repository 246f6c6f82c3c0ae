#include "npu_backend/tile/build_tiles.h"

#include "npu_backend/tile/affine.h"
#include "npu_backend/tile/engines.h"
#include "npu_backend/tile/leaf.h"
#include "npu_backend/tile/tile_context.h"

#include <algorithm>
#include <sstream>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

void add_bound_buffer(TileContext &context, const BoundBuffer &bound) {
    ir::Buffer b;
    b.name = bound.name;
    b.space = Space::ext;
    b.type = element_type(bound.type, {});
    b.region = static_cast<int>(context.program.regions.size());
    const std::vector<int64_t> steps = bound.steps();
    for (int d = 0; d < bound.dimensions; d++) {
        const std::string suffix = "." + std::to_string(d);
        if (bound.extents.empty()) {
            b.min.push_back(Variable::make(Int(32), bound.name + ".min" + suffix));
            b.stride.push_back(d == 0 ? Expr(1) : Variable::make(Int(32), bound.name + ".stride" + suffix));
        } else {
            b.min.push_back(0);
            b.stride.push_back(make_const(Int(32), steps[d]));
            b.extent.push_back(bound.extents[d]);
        }
    }
    context.program.regions.push_back({bound.name, bound.output ? RegionKind::output : RegionKind::input, b.type,
                                       static_cast<uint8_t>(bound.dimensions), 0});
    context.enter(bound.storage, context.add_buffer(b));
}

class Walker {
public:
    explicit Walker(TileContext &context) : context_(context) {}

    ir::NodePtr walk(const Stmt &s) {
        if (auto leaf = match_leaf(s)) return lower_leaf(*leaf);
        if (const auto *op = s.as<Block>()) return block({walk(op->first), walk(op->rest)});
        if (const auto *op = s.as<ProducerConsumer>()) return walk(op->body);
        if (const auto *op = s.as<HoistedStorage>()) return walk(op->body);
        if (const auto *op = s.as<Atomic>()) return walk(op->body);
        if (const auto *op = s.as<Prefetch>()) return walk(op->body);
        if (const auto *op = s.as<Realize>()) return realize(op);
        if (const auto *op = s.as<For>()) return loop(op);
        if (const auto *op = s.as<IfThenElse>()) return condition(op);
        if (s.as<Evaluate>()) return block({});
        if (const auto *op = s.as<Allocate>()) raise(Diag::fold_not_constant, context_.marks(stage_of_fold(op->name)).place, stage_of_fold(op->name));
        std::ostringstream text;
        text << s;
        raise(Diag::internal_error, {}, std::string("tile"), "unexpected statement " + text.str());
    }

private:
    // Halide tracks a fold that it cannot prove in a counter named "<stage>.<loop>.head".
    std::string stage_of_fold(const std::string &counter) const {
        for (size_t dot = counter.find('.'); dot != std::string::npos; dot = counter.find('.', dot + 1))
            if (context_.function(counter.substr(0, dot))) return counter.substr(0, dot);
        return counter;
    }

    static ir::NodePtr block(const std::vector<ir::NodePtr> &children) {
        auto n = std::make_shared<ir::Node>();
        for (const ir::NodePtr &c : children) {
            if (c->kind == ir::NodeKind::block) n->children.insert(n->children.end(), c->children.begin(), c->children.end());
            else n->children.push_back(c);
        }
        return n;
    }

    static ir::NodePtr loop_node(const std::string &name, const Expr &extent, ir::NodePtr body) {
        auto n = std::make_shared<ir::Node>();
        n->kind = ir::NodeKind::loop;
        n->variable = name;
        n->extent = extent;
        n->children = {block({std::move(body)})};
        return n;
    }

    static ir::NodePtr condition_node(const Expr &predicate, std::vector<ir::NodePtr> arms) {
        auto n = std::make_shared<ir::Node>();
        n->kind = ir::NodeKind::condition;
        n->extent = predicate;
        for (ir::NodePtr &a : arms) n->children.push_back(block({std::move(a)}));
        return n;
    }

    void push_loop(const std::string &name, const Expr &extent) {
        auto most = context_.upper_bound(extent);
        context_.loops.push(name, most ? Interval(0, make_const(Int(32), std::max<int64_t>(0, *most - 1))) : Interval(0, Interval::pos_inf()));
    }

    ir::NodePtr loop(const For *op) {
        if (op->for_type == ForType::Parallel) warn(Diag::parallel_on_one_core, {}, op->name);
        const Stmt body = is_const_zero(op->min) ? op->body
                                                 : simplify(substitute(op->name, Variable::make(Int(32), op->name) + op->min, op->body));
        push_loop(op->name, op->extent);
        ir::NodePtr inner = walk(body);
        context_.loops.pop(op->name);
        return loop_node(op->name, op->extent, inner);
    }

    ir::NodePtr condition(const IfThenElse *op) {
        if (reads_memory(op->condition)) raise(Diag::data_dependent_control, {}, std::string("if"));
        std::vector<ir::NodePtr> arms{walk(op->then_case)};
        if (op->else_case.defined()) arms.push_back(walk(op->else_case));
        return condition_node(op->condition, arms);
    }

    Space space_of(const Realize *op, const Place &place) {
        switch (op->memory_type) {
        case MemoryType::VTCM: return Space::spm;
        case MemoryType::AMXTile: return Space::acc;
        case MemoryType::Heap: return Space::ext;
        default: raise(Diag::stage_has_no_memory, place, op->name);
        }
    }

    // Strides in storage order, which reorder_storage may have changed; align_storage pads.
    void lay_out(ir::Buffer &b, const Realize *op, const Function *f) {
        const size_t rank = op->bounds.size();
        std::vector<size_t> order(rank);
        for (size_t d = 0; d < rank; d++) order[d] = d;
        std::vector<int64_t> padding(rank, 1);
        if (f) {
            const auto &dims = f->schedule().storage_dims();
            for (size_t d = 0; d < dims.size() && d < rank; d++) {
                const auto &args = f->args();
                order[d] = static_cast<size_t>(std::find(args.begin(), args.end(), dims[d].var) - args.begin());
                if (dims[d].alignment.defined()) padding[order[d]] = std::max<int64_t>(1, constant_value(dims[d].alignment).value_or(1));
            }
        }
        b.stride.assign(rank, Expr(1));
        b.elements = 1;
        for (size_t d : order) {
            b.stride[d] = make_const(Int(32), b.elements);
            b.elements *= (b.extent[d] + padding[d] - 1) / padding[d] * padding[d];
        }
    }

    ir::NodePtr realize(const Realize *op) {
        const StageMarks marks = context_.marks(op->name);
        const Function *f = context_.function(op->name);
        ir::Buffer b;
        b.name = op->name;
        b.place = marks.place;
        b.space = space_of(op, marks.place);
        b.type = element_type(op->types[0], marks.place);
        if (b.space == Space::acc && b.type != ElementType::i32 && b.type != ElementType::f32)
            raise(Diag::accumulator_type, marks.place, std::string(info(b.type).name));
        for (size_t d = 0; d < op->bounds.size(); d++) {
            const auto extent = context_.upper_bound(op->bounds[d].extent);
            if (!extent) raise(Diag::stage_size_unbounded, marks.place, op->name, static_cast<int>(d));
            b.min.push_back(op->bounds[d].min);
            b.extent.push_back(std::max<int64_t>(1, *extent));
        }
        lay_out(b, op, f);
        if (f && f->schedule().ring_buffer().defined()) b.ring = static_cast<int>(constant_value(f->schedule().ring_buffer()).value_or(1));
        if (b.space == Space::ext) add_arena(b);
        const int id = context_.add_buffer(b);
        context_.enter(op->name, id);
        ir::NodePtr body = walk(op->body);
        context_.leave(op->name);
        if (b.ring <= 1) return body;
        auto advance = std::make_shared<ir::Node>();
        advance->kind = ir::NodeKind::advance;
        advance->buffer = id;
        return block({body, advance});
    }

    void add_arena(ir::Buffer &b) {
        auto &regions = context_.program.regions;
        auto arena = std::find_if(regions.begin(), regions.end(), [](const Region &r) { return r.kind == RegionKind::arena; });
        if (arena == regions.end()) arena = regions.insert(regions.end(), {"arena", RegionKind::arena, ElementType::u8, 1, 0});
        b.region = static_cast<int>(arena - regions.begin());
        b.ring = 1;  // external slots would only move the same bytes elsewhere
        b.offset = (arena->bytes + 63) / 64 * 64;
        arena->bytes = b.offset + b.elements * info(b.type).bytes;
    }

    Attempt try_engines(const CutLeaf &cut, bool gather) {
        const LeafItem &first = *std::find_if(cut.body.begin(), cut.body.end(), [](const LeafItem &i) { return i.let.empty(); });
        const Space target = context_.program.buffers[context_.buffer(first.storage)].space;
        if (target == Space::acc) return try_matrix(context_, cut);
        Attempt transfer = try_transfer(context_, cut);
        if (transfer) return transfer;
        if (transfer.reason == Diag::index_not_affine && !reads_scratchpad(cut)) return transfer;
        return try_micro(context_, cut, gather);
    }

    // A copy inside the scratchpad whose index is not affine is still a gather for the vector unit.
    bool reads_scratchpad(const CutLeaf &cut) const {
        const auto *c = cut.body[0].values.empty() ? nullptr : cut.body[0].values[0].as<Call>();
        if (c && c->name.rfind("emulsion.fill.", 0) == 0) c = c->args[1].as<Call>();
        if (!c || !context_.has_buffer(c->name)) return !c || c->call_type != Call::Image;
        return context_.program.buffers[context_.buffer(c->name)].space == Space::spm;
    }

    // Largest domain first; non-affine indices become control loops where whole inner loops remain, gathers otherwise.
    ir::NodePtr lower_leaf(const Leaf &leaf) {
        const int loops = static_cast<int>(leaf.loops.size());
        for (const LeafLoop &l : leaf.loops) push_loop(l.name, l.extent);
        Attempt last;
        ir::NodePtr done;
        auto attempt = [&](int rank, bool gather) {
            auto c = cut(leaf, rank);
            if (!c) return false;
            Attempt a = try_engines(*c, gather);
            if (a) done = wrap(*c, a.nodes);
            else last = a;
            return static_cast<bool>(a) || !a.retry_smaller;
        };
        const int most = std::min(loops, max_rank);
        bool stop = false;
        for (int rank = most; rank >= 1 && !stop && !done; rank--) stop = attempt(rank, false);
        // Element by element is never what was meant: at least the innermost loop belongs to the operation.
        for (int rank = most; rank >= std::min(most, 1) && !done; rank--) attempt(rank, true);
        for (const LeafLoop &l : leaf.loops) context_.loops.pop(l.name);
        if (!done) fail(leaf, last);
        return done;
    }

    [[noreturn]] void fail(const Leaf &leaf, const Attempt &last) {
        const std::string stage = leaf.body.back().storage;
        const Diag reason = last.reason == Diag{} ? Diag::internal_error : last.reason;
        if (reason == Diag::internal_error) raise(reason, {stage}, std::string("tile"), std::string("no engine gave a reason"));
        raise(reason, context_.marks(stage).place, last.detail);
    }

    ir::NodePtr wrap(const CutLeaf &c, const std::vector<ir::NodePtr> &nodes) {
        ir::NodePtr n = block(nodes);
        for (const Expr &condition : c.control_conditions) n = condition_node(condition, {n});
        for (size_t k = c.control.size(); k-- > 0;) n = loop_node(c.control[k].name, c.control[k].extent, n);
        return n;
    }

    TileContext &context_;
};

}  // namespace

std::vector<int64_t> BoundBuffer::steps() const {
    if (!strides.empty()) return {strides.begin(), strides.end()};
    std::vector<int64_t> dense;
    for (int64_t stride = 1; int e : extents) {
        dense.push_back(stride);
        stride *= e;
    }
    return dense;
}

BoundBuffer::Span BoundBuffer::span() const {
    const std::vector<int64_t> step = steps();
    const int64_t bytes = info(element_type(type, {})).bytes;
    Span s{0, bytes};
    for (size_t d = 0; d < extents.size(); d++) {
        const int64_t reach = int64_t{extents[d] - 1} * step[d] * bytes;
        (reach < 0 ? s.lo : s.hi) += reach;
    }
    return s;
}

ir::TileProgram build_tiles(const Lowered &lowered, const std::string &name, const std::vector<BoundBuffer> &buffers) {
    ir::TileProgram program;
    program.name = name;
    TileContext context(program, lowered);
    for (const BoundBuffer &b : buffers) add_bound_buffer(context, b);
    ir::NodePtr body = Walker(context).walk(lowered.stmt);
    if (body->kind != ir::NodeKind::block) {
        auto top = std::make_shared<ir::Node>();
        top->children = {body};
        body = top;
    }
    program.body = body;
    return program;
}

}  // namespace emulsion
