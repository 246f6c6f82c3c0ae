#include "npu_backend/emit/emit.h"

#include "npu_backend/emit/canonical_names.h"
#include "npu_backend/emit/scalar_code.h"
#include "npu_backend/tile/affine.h"

#include <algorithm>
#include <set>

namespace emulsion {
namespace {

using namespace Halide;
using namespace Halide::Internal;

template<typename T>
uint16_t intern(std::vector<T> &table, const T &item, const char *what) {
    auto it = std::find(table.begin(), table.end(), item);
    if (it == table.end()) it = table.insert(it, item);
    if (it - table.begin() >= no_extra) raise(Diag::table_full, {}, std::string(what));
    return static_cast<uint16_t>(it - table.begin());
}

class Emitter {
public:
    Emitter(const ir::TileProgram &tiles, const TargetDesc &target) : tiles_(tiles), code_(program_) {
        program_.name = tiles.name;
        program_.machine = target.name;
        program_.machine_hash = target.hash;
        program_.regions = tiles.regions;
        program_.constants = tiles.constants;
        for (int initial : tiles.token_initial) program_.tokens.push_back({static_cast<uint8_t>(initial)});
        for (const ir::Buffer &b : tiles.buffers) {
            const auto used = static_cast<uint64_t>(b.elements * info(b.type).bytes);
            const bool constant = b.space == Space::ext && tiles.regions[b.region].kind == RegionKind::constants;
            if (constant) program_.buffers.push_back({b.name, b.space, static_cast<uint64_t>(b.offset), used, 1, used});
            else if (b.slot_bytes)
                program_.buffers.push_back({b.name, b.space, static_cast<uint64_t>(b.offset), static_cast<uint64_t>(b.slot_bytes), static_cast<uint32_t>(b.ring), used});
        }
    }

    Program run() {
        node(*tiles_.body, 0);
        program_.code.push_back({.op = Opcode::op_halt});
        return std::move(program_);
    }

private:
    void node(const ir::Node &n, int loops) {
        switch (n.kind) {
        case ir::NodeKind::block:
            for (const ir::NodePtr &c : n.children) node(*c, loops);
            return;
        case ir::NodeKind::loop: return loop(n, loops);
        case ir::NodeKind::condition: return condition(n, loops);
        case ir::NodeKind::op: return op(n.tile);
        case ir::NodeKind::sync: return sync(n);
        case ir::NodeKind::advance: return advance(n);
        }
    }

    // A ring's slot counter lives as long as the outermost loop that turns it.
    void rings_inside(const ir::Node &n, std::set<int> &rings) {
        if (n.kind == ir::NodeKind::advance) rings.insert(n.buffer);
        for (const ir::NodePtr &c : n.children) rings_inside(*c, rings);
    }

    void loop(const ir::Node &n, int loops) {
        std::set<int> rings;
        if (loops == 0) rings_inside(n, rings);
        for (int r : rings) append_movi(code_.bind(tiles_.buffers[r].slot_variable()), 0);
        const Scalar count = code_.scalar(n.extent);
        // The counter may take the register of the turn count: CTL reads the count once, on entry.
        const uint8_t counter = code_.bind(n.variable);
        Instruction i{.op = Opcode::op_loop, .rd = counter, .ra = count.reg, .imm = static_cast<int32_t>(count.imm)};
        program_.code.push_back(i);
        code_.end_operation();
        node(*n.children[0], loops + 1);
        program_.code.push_back({.op = Opcode::op_endloop});
        code_.release(n.variable);
        for (int r : rings) code_.release(tiles_.buffers[r].slot_variable());
    }

    void append_movi(uint8_t r, int32_t v) { program_.code.push_back({.op = Opcode::op_movi, .rd = r, .imm = v}); }

    void condition(const ir::Node &n, int loops) {
        const uint8_t c = code_.in_register(n.extent);
        const size_t branch = program_.code.size();
        program_.code.push_back({.op = Opcode::op_bz, .ra = c});
        code_.end_operation();
        node(*n.children[0], loops);
        if (n.children.size() > 1) {
            const size_t jump = program_.code.size();
            program_.code.push_back({.op = Opcode::op_jump});
            program_.code[branch].imm = static_cast<int32_t>(program_.code.size() - branch - 1);
            node(*n.children[1], loops);
            program_.code[jump].imm = static_cast<int32_t>(program_.code.size() - jump - 1);
            return;
        }
        program_.code[branch].imm = static_cast<int32_t>(program_.code.size() - branch - 1);
    }

    void sync(const ir::Node &n) {
        constexpr Opcode by_queue[] = {Opcode::op_halt, Opcode::op_sync_ld, Opcode::op_sync_st, Opcode::op_sync_mx, Opcode::op_sync_ou, Opcode::op_sync_vx};
        Instruction i{.op = by_queue[static_cast<int>(n.queue)]};
        set_tokens(i, n.waits, n.signals);
        program_.code.push_back(i);
    }

    static void set_tokens(Instruction &i, const std::vector<int> &waits, const std::vector<int> &signals) {
        for (size_t k = 0; k < waits.size(); k++) i.wait[k] = static_cast<uint8_t>(waits[k]);
        for (size_t k = 0; k < signals.size(); k++) i.signal[k] = static_cast<uint8_t>(signals[k]);
    }

    void advance(const ir::Node &n) {
        const ir::Buffer &b = tiles_.buffers[n.buffer];
        if (!code_.bound(b.slot_variable())) return;  // outside any loop one slot is ever used
        const uint8_t r = code_.register_of(b.slot_variable());
        program_.code.push_back({.op = Opcode::op_add, .rd = r, .ra = r, .imm = 1});
        program_.code.push_back({.op = Opcode::op_mod, .rd = r, .ra = r, .imm = b.ring});
    }

    Stream stream(const ir::Operand &o) {
        const ir::Buffer &b = tiles_.buffers[o.buffer];
        Stream s{.space = b.space, .region = static_cast<uint8_t>(std::max(0, b.region)), .type = o.type, .base = b.offset};
        const int64_t bytes = info(o.type).bytes;
        if (b.ring > 1 && code_.bound(b.slot_variable())) s.terms[0] = {code_.register_of(b.slot_variable()), b.slot_bytes};
        code_.address(o.base, bytes, s);
        for (size_t d = 0; d < o.stride.size(); d++) {
            if (auto v = constant_value(o.stride[d])) s.stride[d] = {*v * bytes, no_register};
            else s.stride[d] = code_.scalar(simplify(o.stride[d] * make_const(Int(32), bytes)));
        }
        if (o.window) s.window_hi = o.window * bytes;
        return s;
    }

    uint16_t domain(const ir::TileOp &t) {
        Domain d;
        d.rank = static_cast<uint8_t>(std::max<size_t>(1, t.domain.size()));
        if (t.domain.empty()) d.extent[0].imm = 1;
        for (size_t k = 0; k < t.domain.size(); k++) {
            d.extent[k] = code_.scalar(t.domain[k].extent);
            d.role[k] = t.domain[k].role;
        }
        return intern(program_.domains, d, "domains");
    }

    uint16_t fill(const ir::FillSpec &spec) {
        Fill f;
        f.mode = spec.mode;
        f.value = spec.value;
        for (size_t k = 0; k < spec.boxed.size(); k++) {
            f.boxed[k] = spec.boxed[k];
            if (!spec.boxed[k]) continue;
            f.origin[k] = code_.scalar(spec.origin[k]);
            f.lo[k] = code_.scalar(spec.lo[k]);
            f.hi[k] = code_.scalar(spec.hi[k]);
        }
        return intern(program_.fills, f, "fills");
    }

    uint16_t micro_program(const ir::TileOp &t) {
        MicroProgram p = t.micro;
        for (MicroOp &m : p)
            if (m.op == MicroOpcode::scalar) m.mode = code_.in_register(t.scalars[m.mode]);
        return intern(program_.micro_programs, p, "micro-programs");
    }

    // Operands of one instruction are consecutive; a run of streams that stands in the table already is used again.
    uint16_t streams(const std::vector<Stream> &list) {
        auto it = std::search(program_.streams.begin(), program_.streams.end(), list.begin(), list.end());
        if (it == program_.streams.end()) it = program_.streams.insert(it, list.begin(), list.end());
        if (it - program_.streams.begin() + list.size() >= no_extra) raise(Diag::table_full, {}, std::string("streams"));
        return static_cast<uint16_t>(it - program_.streams.begin());
    }

    void op(const ir::TileOp &t) {
        code_.place = t.place;
        Instruction i{.op = t.op};
        std::vector<Stream> list;
        for (const ir::Operand &o : t.operands) list.push_back(stream(o));
        i.domain = domain(t);
        if (t.fill) i.extra = fill(*t.fill);
        if (!t.micro.empty()) i.extra = micro_program(t);
        if (t.accumulate_when.defined()) {
            const auto turn = constant_value(t.accumulate_when);
            i.mode = turn ? (*turn == 0 ? 1 : 0) : 2;
            if (!turn) i.ra = code_.in_register(t.accumulate_when);
        }
        i.stream = streams(list);
        i.stream_count = static_cast<uint8_t>(list.size());
        i.imm = t.imm;
        set_tokens(i, t.waits, t.signals);
        program_.debug.push_back({static_cast<uint32_t>(program_.code.size()), t.stage, t.place.file, t.place.line});
        program_.code.push_back(i);
        code_.end_operation();
    }

    const ir::TileProgram &tiles_;
    Program program_;
    ScalarCode code_;
};

}  // namespace

Program emit(const ir::TileProgram &tiles, const TargetDesc &target) {
    Program program = Emitter(tiles, target).run();
    make_names_canonical(program);
    return program;
}

}  // namespace emulsion
