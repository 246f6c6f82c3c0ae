#include "runtime/emulator/insns/micro_unit.h"

#include "runtime/emulator/lanes.h"

#include <algorithm>

namespace emulsion {
namespace {

/// Displacements and accesses of one operand, gathered from the micro-program.
struct Use {
    bool loads = false, stores = false, indexed = false;
    int64_t low = 0, high = 0;
    bool any() const { return loads || stores; }
};

std::vector<Use> uses_of(const Dispatched &d, const Program &program) {
    std::vector<Use> uses(d.stream.size());
    for (size_t k = 0; k < d.micro->size(); k++) {
        const MicroOp &op = (*d.micro)[k];
        auto earlier = [&](uint16_t v) { return v == no_value || v < k; };
        if (!earlier(op.a) || !earlier(op.b) || !earlier(op.c)) raise(Diag::program_malformed, place_of(program, d.pc), std::string("a micro-op uses a later value"));
        if (op.op != MicroOpcode::load && op.op != MicroOpcode::store) continue;
        if (op.stream >= uses.size()) raise(Diag::program_malformed, place_of(program, d.pc), std::string("a micro-op names a missing operand"));
        Use &u = uses[op.stream];
        const bool indexed = op.op == MicroOpcode::load ? op.a != no_value : op.b != no_value;
        u.low = u.any() ? std::min(u.low, op.imm) : op.imm;
        u.high = u.any() ? std::max(u.high, op.imm) : op.imm;
        u.indexed |= indexed;
        (op.op == MicroOpcode::load ? u.loads : u.stores) = true;
    }
    return uses;
}

/// How the points may be grouped: `inner` runs innermost, `lanes` points at a time.
struct Blocking {
    int inner = 0;
    int lanes = 1;
};

bool same_addresses(const ResolvedStream &a, const ResolvedStream &b, int rank) {
    if (a.space != b.space || a.region != b.region || a.base != b.base) return false;
    return std::equal(a.stride.begin(), a.stride.begin() + rank, b.stride.begin());
}

// The bytes an operand may touch, as one interval.
std::pair<int64_t, int64_t> reach(const Dispatched &d, int k, const Use &u) {
    const ResolvedStream &s = d.stream[k];
    int64_t lo = s.base + u.low, hi = s.base + u.high + info(s.type).bytes;
    if (u.indexed) lo = std::min(lo, s.base + s.window_lo), hi = std::max(hi, s.base + s.window_hi);
    for (int dim = 0; dim < d.rank; dim++) {
        const int64_t r = s.stride[dim] * (d.extent[dim] - 1);
        (r < 0 ? lo : hi) += r;
    }
    return {lo, hi};
}

// Distinct points write distinct bytes along the dimensions that move the operand at all.
bool injective(const Dispatched &d, const ResolvedStream &s) {
    std::vector<std::pair<int64_t, int64_t>> steps;
    for (int dim = 0; dim < d.rank; dim++)
        if (s.stride[dim] != 0 && d.extent[dim] > 1) steps.emplace_back(std::abs(s.stride[dim]), d.extent[dim]);
    std::sort(steps.begin(), steps.end());
    int64_t covered = info(s.type).bytes;
    for (const auto &[stride, extent] : steps) {
        if (stride < covered) return false;
        covered = stride * (extent - 1) + covered;
    }
    return true;
}

// Points along `inner` may go side by side when each writes bytes of its own and reads nothing that another one writes.
Blocking blocking_of(const Dispatched &d, const std::vector<Use> &uses) {
    for (size_t w = 0; w < uses.size(); w++) {
        if (!uses[w].stores) continue;
        if (uses[w].indexed || uses[w].low != uses[w].high || !injective(d, d.stream[w])) return {};
        const auto [lo, hi] = reach(d, static_cast<int>(w), uses[w]);
        for (size_t r = 0; r < uses.size(); r++) {
            if (!uses[r].any() || r == w || d.stream[r].space != d.stream[w].space || d.stream[r].region != d.stream[w].region) continue;
            const auto [rlo, rhi] = reach(d, static_cast<int>(r), uses[r]);
            if (rhi <= lo || hi <= rlo) continue;
            const bool same = same_addresses(d.stream[r], d.stream[w], d.rank) && uses[r].low == uses[r].high && uses[r].low == uses[w].low && !uses[r].indexed;
            if (!same) return {};
        }
    }
    for (int dim = 0; dim < d.rank; dim++) {
        if (d.extent[dim] < 2) continue;
        bool moves_all = true;
        for (size_t w = 0; w < uses.size(); w++) moves_all &= !uses[w].stores || d.stream[w].stride[dim] != 0;
        if (moves_all) return {dim, block_lanes};
    }
    return {};
}

class Unit {
public:
    Unit(const Dispatched &d, Memory &m) : d_(d), m_(m), uses_(uses_of(d, m.program())), values_(d.micro->size()) {
        for (size_t k = 0; k < uses_.size(); k++) {
            const int64_t low = uses_[k].indexed ? std::min(uses_[k].low, d.stream[k].window_lo) : uses_[k].low;
            const int64_t high = uses_[k].indexed ? std::max(uses_[k].high, d.stream[k].window_hi - info(d.stream[k].type).bytes) : uses_[k].high;
            windows_.push_back(uses_[k].any() ? m.window(d, static_cast<int>(k), low, high) : Window{});
        }
    }

    void run() {
        const Blocking b = blocking_of(d_, uses_);
        for (const MicroOp &op : *d_.micro) {  // values that no point changes
            const size_t k = &op - d_.micro->data();
            if (op.op == MicroOpcode::constant) compute(op, values_, values_[k], block_lanes);
            if (op.op == MicroOpcode::scalar) scalar(op, values_[k]);
        }
        Dispatched outer = d_;
        outer.extent[b.inner] = 1;
        for_each_point(outer, [&](const std::array<int64_t, max_rank> &i, const std::vector<int64_t> &at) {
            for (int64_t first = 0; first < d_.extent[b.inner]; first += b.lanes)
                block(i, at, b.inner, first, static_cast<int>(std::min<int64_t>(b.lanes, d_.extent[b.inner] - first)));
        });
    }

private:
    void block(const std::array<int64_t, max_rank> &i, const std::vector<int64_t> &at, int inner, int64_t first, int n) {
        for (size_t k = 0; k < d_.micro->size(); k++) {
            const MicroOp &op = (*d_.micro)[k];
            switch (op.op) {
            case MicroOpcode::constant:
            case MicroOpcode::scalar: break;
            case MicroOpcode::index:
                for (int l = 0; l < n; l++) values_[k].i[l] = op.mode == inner ? first + l : i[op.mode];
                break;
            case MicroOpcode::load: load(op, at[op.stream] + first * d_.stream[op.stream].stride[inner] + op.imm, d_.stream[op.stream].stride[inner], n, values_[k]); break;
            case MicroOpcode::store: store(op, at[op.stream] + first * d_.stream[op.stream].stride[inner] + op.imm, d_.stream[op.stream].stride[inner], n); break;
            default: compute(op, values_, values_[k], n);
            }
        }
    }

    void scalar(const MicroOp &op, Lanes &out) {
        const int64_t r = d_.registers[op.mode % register_count];
        int64_t i = 0;
        float f = 0;
        from_bits(op.type == ElementType::f32 ? ElementType::f32 : op.type, r, i, f);
        out.i.fill(i);
        out.f.fill(f);
    }

    // Byte offset by data, which must stay in the operand's window.
    int64_t indexed(const MicroOp &op, uint16_t index, int lane) {
        if (index == no_value) return 0;
        const int64_t offset = values_[index].i[lane] + op.imm;
        const ResolvedStream &s = d_.stream[op.stream];
        if (offset < s.window_lo || offset + info(s.type).bytes > s.window_hi)
            raise(Diag::access_out_of_range, place_of(m_.program(), d_.pc), std::string("the operand's window"), offset, offset + info(s.type).bytes, s.window_lo, s.window_hi);
        return offset - op.imm;
    }

    template<typename T>
    void load_dense(const Window &w, int64_t at, int64_t stride, int n, Lanes &out) {
        const uint8_t *p = w.data + at;
        for (int l = 0; l < n; l++) {
            T v;
            std::memcpy(&v, p + l * stride, sizeof v);
            out.i[l] = static_cast<int64_t>(v);
        }
    }

    void load(const MicroOp &op, int64_t at, int64_t stride, int n, Lanes &out) {
        const Window &w = windows_[op.stream];
        const int bytes = info(op.type).bytes;
        if (op.a == no_value && !w.written) {
            switch (op.type) {
            case ElementType::u8: return load_dense<uint8_t>(w, at, stride, n, out);
            case ElementType::i8: return load_dense<int8_t>(w, at, stride, n, out);
            case ElementType::u16: return load_dense<uint16_t>(w, at, stride, n, out);
            case ElementType::i16: return load_dense<int16_t>(w, at, stride, n, out);
            case ElementType::i32: return load_dense<int32_t>(w, at, stride, n, out);
            default: break;
            }
        }
        for (int l = 0; l < n; l++) {
            const int64_t from = at + l * stride + indexed(op, op.a, l);
            if (w.written) check_written(w, from, bytes, d_, m_.program(), "an operand");
            int64_t bits = 0;
            std::memcpy(&bits, w.data + from, bytes);
            from_bits(op.type, bits, out.i[l], out.f[l]);
        }
    }

    void store(const MicroOp &op, int64_t at, int64_t stride, int n) {
        const Window &w = windows_[op.stream];
        const int bytes = info(op.type).bytes;
        const Lanes &v = values_[op.a];
        for (int l = 0; l < n; l++) {
            if (op.c != no_value && !values_[op.c].i[l]) continue;
            const int64_t to = at + l * stride + indexed(op, op.b, l);
            const int64_t bits = to_bits(op.type, v.i[l], v.f[l]);
            std::memcpy(w.data + to, &bits, bytes);
            if (w.written) std::memset(w.written + to, 1, bytes);
        }
    }

    const Dispatched &d_;
    Memory &m_;
    std::vector<Use> uses_;
    std::vector<Lanes> values_;
    std::vector<Window> windows_;
};

}  // namespace

void run_micro_program(const Dispatched &d, Memory &m) {
    if (!d.empty) Unit(d, m).run();
}

}  // namespace emulsion
