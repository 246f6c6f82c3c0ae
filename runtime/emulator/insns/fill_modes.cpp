// Loads with a boundary. Per dimension, a table says where each index reads; rows that lie inside the box move at once.
#include "runtime/emulator/insns/moves.h"

#include <algorithm>
#include <optional>

namespace emulsion {
namespace {

using Wide = __int128;

Wide euclidean_mod(Wide a, Wide b) {
    const Wide r = a % b;
    return r < 0 ? r + b : r;
}

/// The coordinate in [lo, lo + n) that stands for lo + `from`. Source: Halide's BoundaryConditions.h: repeat_image tiles the
/// image, mirror_image reflects it with the edge repeated, mirror_interior without.
Wide mapped(FillMode mode, Wide from, Wide n) {
    switch (mode) {
    case FillMode::repeat_image: return euclidean_mod(from, n);
    case FillMode::mirror_image: {
        const Wide r = euclidean_mod(from, 2 * n);
        return std::min(r, 2 * n - 1 - r);
    }
    case FillMode::mirror_interior: {
        if (n == 1) return 0;
        const Wide r = euclidean_mod(from, 2 * (n - 1));
        return std::min(r, 2 * (n - 1) - r);
    }
    default: return std::clamp<Wide>(from, 0, n - 1);
    }
}

/// Where the indices of one dimension read.
struct Axis {
    std::vector<std::optional<int64_t>> offset;  ///< bytes, by index; none: the constant
    int64_t least = 0, most = 0;                 ///< of the offsets
    bool reads = false;
    int64_t inside_first = 0, inside_end = 0;    ///< indices inside the box
};

class Boundary {
public:
    Boundary(const Dispatched &d, Memory &m) : d_(d), m_(m) {
        dst_ = m.window(d, 0, Touch::write);  // first: it bounds the extents
        for (int dim = 0; dim < d.rank; dim++) axes_[dim] = axis(dim);
        Wide first = d.stream[1].base, end = first + bytes();
        for (int dim = 0; dim < d.rank; dim++) {
            reads_ &= axes_[dim].reads;
            first += axes_[dim].least;
            end += axes_[dim].most;
        }
        if (reads_) src_ = m.window_between(d, 1, Touch::read, first, end);
    }

    /// Elements [0, extent[0]) of the row at `index` of the other dimensions.
    void row(const std::array<int64_t, max_rank> &index, int64_t to) {
        int64_t from = d_.stream[1].base;
        bool inside = reads_;
        for (int dim = 1; dim < d_.rank && inside; dim++) {
            const std::optional<int64_t> &offset = axes_[dim].offset[index[dim]];
            inside = offset.has_value();
            from += offset.value_or(0);
        }
        const int64_t count = d_.extent[0];
        if (!inside) return constants(to, 0, count);
        const Axis &axis = axes_[0];
        elements(to, from, 0, axis.inside_first);
        run(to, from, axis.inside_first, axis.inside_end);
        elements(to, from, axis.inside_end, count);
    }

private:
    int bytes() const { return info(d_.stream[0].type).bytes; }

    Axis axis(int dim) const {
        Axis a;
        const ResolvedFill &f = d_.fill;
        const bool boxed = f.boxed[dim];
        const Wide n = static_cast<Wide>(f.hi[dim]) - f.lo[dim];
        if (boxed && n <= 0 && f.mode != FillMode::constant)
            raise(Diag::program_malformed, place_of(m_.program(), d_.pc), std::string("a boundary repeats an empty box"));
        a.offset.resize(d_.extent[dim]);
        a.inside_end = boxed ? 0 : d_.extent[dim];
        for (int64_t i = 0; i < d_.extent[dim]; i++) {
            Wide c = i;
            if (boxed) {
                const Wide from = static_cast<Wide>(f.origin[dim]) + i - f.lo[dim];
                const bool inside = from >= 0 && from < n;
                if (inside && a.inside_end == 0) a.inside_first = i;
                if (inside) a.inside_end = i + 1;
                if (!inside && f.mode == FillMode::constant) continue;
                c = f.lo[dim] + mapped(f.mode, from, n);
            }
            note(a, i, c * d_.stream[1].stride[dim]);
        }
        return a;
    }

    void note(Axis &a, int64_t i, Wide offset) const {
        if (offset != static_cast<int64_t>(offset)) raise(Diag::address_overflow, place_of(m_.program(), d_.pc));
        const auto o = static_cast<int64_t>(offset);
        a.least = a.reads ? std::min(a.least, o) : o;
        a.most = a.reads ? std::max(a.most, o) : o;
        a.reads = true;
        a.offset[i] = o;
    }

    void put(int64_t to, int64_t i, const void *from) {
        const int64_t at = to + i * d_.stream[0].stride[0];
        std::memcpy(dst_.data + at, from, bytes());
        if (dst_.written) std::memset(dst_.written + at, 1, bytes());
    }

    void constants(int64_t to, int64_t first, int64_t end) {
        for (int64_t i = first; i < end; i++) put(to, i, &d_.fill.value);
    }

    void elements(int64_t to, int64_t from, int64_t first, int64_t end) {
        for (int64_t i = first; i < end; i++) {
            const std::optional<int64_t> &offset = axes_[0].offset[i];
            if (!offset) {
                put(to, i, &d_.fill.value);
                continue;
            }
            if (src_.written) m_.require_written(d_, 1, from + *offset, 0, 1, bytes());
            put(to, i, src_.data + from + *offset);
        }
    }

    void run(int64_t to, int64_t from, int64_t first, int64_t end) {
        if (d_.stream[0].stride[0] != bytes() || d_.stream[1].stride[0] != bytes()) return elements(to, from, first, end);
        if (end <= first) return;
        const int64_t source = from + *axes_[0].offset[first], size = (end - first) * bytes(), target = to + first * bytes();
        if (src_.written) m_.require_written(d_, 1, source, 0, 1, size);
        std::memmove(dst_.data + target, src_.data + source, size);
        if (dst_.written) std::memset(dst_.written + target, 1, size);
    }

    const Dispatched &d_;
    Memory &m_;
    std::array<Axis, max_rank> axes_;
    Window dst_, src_;
    bool reads_ = true;
};

}  // namespace

void move_with_fill(const Dispatched &d, Memory &m) {
    Boundary boundary(d, m);
    Dispatched rows = d;
    rows.extent[0] = 1;
    for_each_point(rows, [&](const auto &index, const std::vector<int64_t> &at) { boundary.row(index, at[0]); });
}

}  // namespace emulsion
