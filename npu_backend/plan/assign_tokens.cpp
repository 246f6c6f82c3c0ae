#include "npu_backend/plan/assign_tokens.h"

#include "npu_backend/plan/rolling_storage.h"
#include "npu_backend/plan/write_once.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

/// Distance of a writer that nothing holds back: as far as the 8-bit counters allow with room for both ends.
constexpr int far_ahead = 200;

struct Step {
    ir::Node *block;
    size_t child;
};

struct Access {
    int buffer;
    Queue queue;
    bool writes;
    std::vector<Step> path;              ///< blocks from the root down
    std::vector<const ir::Node *> loops; ///< enclosing loops, outermost first
    std::vector<size_t> loop_depth;      ///< path length at which each loop was entered
    const ir::TileOp *op;
    const ir::Operand *operand;
};

// One ordering inside a block: `from` signals after child `signal`, `to` waits before child `wait`.
struct Order {
    ir::Node *block;
    Queue from, to;
    size_t signal, wait;
    int distance;          ///< 0: forward; else backward, that many turns
    size_t block_number = 0;  ///< in program order: tokens are numbered the same way in every run
    auto key() const { return std::tie(block_number, from, to, distance, signal, wait); }
    bool operator<(const Order &o) const { return key() < o.key(); }
};

class Collector {
public:
    explicit Collector(const ir::TileProgram &p) : program_(p) {}
    std::vector<Access> accesses;

    void visit(ir::Node &n) {
        if (n.kind == ir::NodeKind::op) return op(n.tile);
        if (n.kind == ir::NodeKind::loop) {
            loops_.push_back(&n);
            depth_.push_back(path_.size());
            visit(*n.children[0]);
            loops_.pop_back();
            depth_.pop_back();
            return;
        }
        for (size_t k = 0; k < n.children.size(); k++) {
            path_.push_back({&n, k});
            visit(*n.children[k]);
            path_.pop_back();
        }
    }

private:
    void op(const ir::TileOp &t) {
        for (const ir::Operand &o : t.operands) {
            const ir::Buffer &b = program_.buffers[o.buffer];
            if (b.space == Space::ext && program_.regions[b.region].kind != RegionKind::arena) continue;
            accesses.push_back({o.buffer, ir::queue_of(t), o.writes, path_, loops_, depth_, &t, &o});
        }
    }

    const ir::TileProgram &program_;
    std::vector<Step> path_;
    std::vector<const ir::Node *> loops_;
    std::vector<size_t> depth_;
};

// Where the ring of a buffer moves on: only accesses below that block use one slot per turn.
void find_rings(const ir::Node &n, std::map<int, const ir::Node *> &scope) {
    for (const ir::NodePtr &c : n.children) {
        if (c->kind == ir::NodeKind::advance) scope[c->buffer] = &n;
        find_rings(*c, scope);
    }
}

class Orders {
public:
    Orders(const ir::TileProgram &p, const std::vector<Access> &accesses) : program_(p), accesses_(accesses) {
        find_rings(*p.body, ring_scope_);
        for (size_t i = 0; i < accesses_.size(); i++)
            for (size_t j = i + 1; j < accesses_.size(); j++) pair(accesses_[i], accesses_[j]);
        std::map<const ir::Node *, size_t> numbers;
        number(*p.body, numbers);
        for (Order &o : orders) o.block_number = numbers.at(o.block);
    }
    std::vector<Order> orders;

private:
    static void number(const ir::Node &n, std::map<const ir::Node *, size_t> &numbers) {
        numbers.emplace(&n, numbers.size());
        for (const ir::NodePtr &c : n.children) number(*c, numbers);
    }

    void pair(const Access &a, const Access &b) {
        if (a.buffer != b.buffer || a.queue == b.queue || !(a.writes || b.writes)) return;
        size_t k = 0;
        while (a.path[k].block == b.path[k].block && a.path[k].child == b.path[k].child) k++;
        ir::Node *block = a.path[k].block;
        if (block->kind == ir::NodeKind::condition) {  // the two arms: never both, so only turns of an outer loop order them
            k--;
            while (k > 0 && a.path[k].block->kind == ir::NodeKind::condition) k--;
            backward_around(a, b, k);
            return;
        }
        orders.push_back({block, a.queue, b.queue, a.path[k].child, b.path[k].child, 0});
        if (encloses_loop(a, k)) orders.push_back({block, b.queue, a.queue, b.path[k].child, a.path[k].child, distance(a, b, k)});
    }

    // Accesses in different arms of one condition: order every turn against the next through the condition as a whole.
    void backward_around(const Access &a, const Access &b, size_t k) {
        if (!encloses_loop(a, k)) return;
        ir::Node *block = a.path[k].block;
        const size_t child = a.path[k].child;
        orders.push_back({block, b.queue, a.queue, child, child, 1});
        orders.push_back({block, a.queue, b.queue, child, child, 1});
    }

    static bool encloses_loop(const Access &a, size_t k) { return !a.loops.empty() && a.loop_depth[0] <= k; }

    // The innermost loop that encloses path position k decides: ring slots turn inside it, or storage is older than it.
    int distance(const Access &a, const Access &b, size_t k) const {
        const int ring = program_.buffers[a.buffer].ring;
        size_t loop = a.loops.size();
        while (a.loop_depth[loop - 1] > k) loop--;
        const size_t loop_at = a.loop_depth[loop - 1];
        if (ring > 1) {
            const auto scope = ring_scope_.find(a.buffer);
            for (size_t d = loop_at; d <= k && scope != ring_scope_.end(); d++)
                if (a.path[d].block == scope->second) return ring;
            return 1;
        }
        if (a.writes && writes_once(*a.op, *a.operand, program_.buffers[a.buffer], a.loops)) return far_ahead;
        auto inner = [&](const Access &x) {
            return RollingAccess{x.operand, std::vector<const ir::Node *>(x.loops.begin() + static_cast<long>(loop), x.loops.end())};
        };
        return a.writes ? rolling_distance(inner(a), inner(b), a.loops[loop - 1]->variable) : 1;
    }

    const ir::TileProgram &program_;
    const std::vector<Access> &accesses_;
    std::map<int, const ir::Node *> ring_scope_;
};

// An order is implied by another of the same queues and block that signals no earlier and waits no later, at the same or a
// smaller distance.
std::vector<Order> reduce(std::vector<Order> orders) {
    std::sort(orders.begin(), orders.end());
    std::vector<Order> kept;
    for (size_t i = 0; i < orders.size(); i++) {
        bool implied = false;
        for (size_t j = 0; j < orders.size() && !implied; j++) {
            const Order &x = orders[i], &y = orders[j];
            if (i == j || x.block != y.block || x.from != y.from || x.to != y.to) continue;
            if ((x.distance == 0) != (y.distance == 0)) continue;
            const bool covers = y.signal >= x.signal && y.wait <= x.wait && y.distance <= x.distance;
            const bool same = !(x < y) && !(y < x);
            implied = covers && (!same || j < i);
        }
        if (!implied) kept.push_back(orders[i]);
    }
    return kept;
}

class Inserter {
public:
    explicit Inserter(ir::TileProgram &p) : program_(p) {}

    void insert(const std::vector<Order> &orders) {
        std::map<size_t, std::vector<const Order *>> by_block;
        for (const Order &o : orders) by_block[o.block_number].push_back(&o);
        for (auto &[number, list] : by_block) rebuild(*list.front()->block, list);
    }

private:
    int token(const Order &o) {
        if (program_.token_initial.size() >= token_count)
            raise(Diag::too_many_tokens, {program_.name}, static_cast<int>(token_count));
        program_.token_initial.push_back(o.distance);
        return static_cast<int>(program_.token_initial.size()) - 1;
    }

    static ir::NodePtr sync(Queue q, std::vector<int> waits, std::vector<int> signals) {
        auto n = std::make_shared<ir::Node>();
        n->kind = ir::NodeKind::sync;
        n->queue = q;
        n->waits = std::move(waits);
        n->signals = std::move(signals);
        return n;
    }

    // Waits and signals ride on the operation itself where it has room; the rest become sync instructions around it.
    static void attach(std::vector<ir::NodePtr> &out, const ir::NodePtr &child, std::map<Queue, std::vector<int>> waits,
                       std::map<Queue, std::vector<int>> signals) {
        if (child->kind == ir::NodeKind::op) {
            const Queue q = ir::queue_of(child->tile);
            take(waits[q], child->tile.waits, max_waits);
            take(signals[q], child->tile.signals, max_signals);
        }
        for (auto &[q, tokens] : waits) emit(out, q, tokens, true);
        out.push_back(child);
        for (auto &[q, tokens] : signals) emit(out, q, tokens, false);
    }

    static void take(std::vector<int> &from, std::vector<int> &to, size_t room) {
        while (!from.empty() && to.size() < room) {
            to.push_back(from.front());
            from.erase(from.begin());
        }
    }

    static void emit(std::vector<ir::NodePtr> &out, Queue q, const std::vector<int> &tokens, bool waits) {
        for (size_t k = 0; k < tokens.size(); k += 2) {
            std::vector<int> pair(tokens.begin() + k, tokens.begin() + std::min(k + 2, tokens.size()));
            out.push_back(waits ? sync(q, pair, {}) : sync(q, {}, pair));
        }
    }

    void rebuild(ir::Node &block, const std::vector<const Order *> &orders) {
        std::vector<std::map<Queue, std::vector<int>>> waits(block.children.size()), signals(block.children.size());
        for (const Order *o : orders) {
            const int t = token(*o);
            signals[o->signal][o->from].push_back(t);
            waits[o->wait][o->to].push_back(t);
        }
        std::vector<ir::NodePtr> children;
        for (size_t k = 0; k < block.children.size(); k++) attach(children, block.children[k], waits[k], signals[k]);
        block.children = std::move(children);
    }

    ir::TileProgram &program_;
};

}  // namespace

ir::TileProgram assign_tokens(ir::TileProgram program) {
    Collector collector(program);
    collector.visit(*program.body);
    Orders orders(program, collector.accesses);
    Inserter(program).insert(reduce(std::move(orders.orders)));
    return program;
}

}  // namespace emulsion
