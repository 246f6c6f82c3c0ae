#include "runtime/emulator/insns/moves.h"

#include <algorithm>

namespace emulsion {
namespace {

int64_t euclidean_mod(int64_t a, int64_t b) {
    const int64_t r = a % b;
    return r < 0 ? r + b : r;
}

// The source coordinate for `c` outside or inside [lo, hi). Halide's BoundaryConditions: repeat_image tiles the image,
// mirror_image reflects including the edge element, mirror_interior without repeating it.
int64_t mapped(FillMode mode, int64_t c, int64_t lo, int64_t hi) {
    const int64_t n = hi - lo, from = c - lo;
    switch (mode) {
    case FillMode::repeat_image: return lo + euclidean_mod(from, n);
    case FillMode::mirror_image: {
        const int64_t r = euclidean_mod(from, 2 * n);
        return lo + (r >= n ? 2 * n - 1 - r : r);
    }
    case FillMode::mirror_interior: {
        if (n == 1) return lo;
        const int64_t r = euclidean_mod(from, 2 * (n - 1));
        return lo + std::min(r, 2 * (n - 1) - r);
    }
    default: return std::clamp(c, lo, hi - 1);
    }
}

void copy_element(const Window &dst, int64_t to, const Window &src, int64_t from, int bytes) {
    std::memcpy(dst.data + to, src.data + from, bytes);
    if (dst.written) std::memset(dst.written + to, 1, bytes);
}

// Rows along index 0 move at once when both sides are dense.
void move_plain(const Dispatched &d, Memory &m) {
    const int bytes = info(d.stream[1].type).bytes;
    const Window dst = m.window(d, 0), src = m.window(d, 1);
    Dispatched rows = d;
    int64_t run = 1;
    if (d.stream[0].stride[0] == bytes && d.stream[1].stride[0] == bytes) {
        run = d.extent[0];
        rows.extent[0] = 1;
    }
    for_each_point(rows, [&](const auto &, const std::vector<int64_t> &at) {
        if (src.written) check_written(src, at[1], run * bytes, d, m.program(), "the source");
        std::memmove(dst.data + at[0], src.data + at[1], run * bytes);
        if (dst.written) std::memset(dst.written + at[0], 1, run * bytes);
    });
}

// The corners of the box bound what a fill can read.
Window source_window(const Dispatched &d, const Memory &m, bool &readable) {
    Dispatched box = d;
    for (int k = 0; k < d.rank; k++) {
        if (!d.fill.boxed[k]) continue;
        box.stream[1].base += d.fill.lo[k] * d.stream[1].stride[k];
        box.extent[k] = d.fill.hi[k] - d.fill.lo[k];
        if (d.fill.mode == FillMode::constant || d.fill.mode == FillMode::repeat_edge) {  // only the part the domain meets
            const int64_t first = std::clamp(d.fill.origin[k], d.fill.lo[k], d.fill.hi[k]);
            const int64_t last = std::clamp(d.fill.origin[k] + d.extent[k] - 1, d.fill.lo[k] - 1, d.fill.hi[k] - 1);
            box.stream[1].base += (std::min(first, d.fill.hi[k] - 1) - d.fill.lo[k]) * d.stream[1].stride[k];
            box.extent[k] = std::max(last, std::min(first, d.fill.hi[k] - 1)) - std::min(first, d.fill.hi[k] - 1) + 1;
        }
        if (d.fill.hi[k] <= d.fill.lo[k]) readable = false;
    }
    return readable ? m.window(box, 1) : Window{};
}

void move_filled(const Dispatched &d, Memory &m) {
    const int bytes = info(d.stream[1].type).bytes;
    const Window dst = m.window(d, 0);
    bool readable = true;
    const Window src = d.empty ? Window{} : source_window(d, m, readable);
    if (!readable && d.fill.mode != FillMode::constant)
        raise(Diag::program_malformed, place_of(m.program(), d.pc), std::string("a boundary repeats an empty box"));
    for_each_point(d, [&](const auto &i, const std::vector<int64_t> &at) {
        int64_t from = d.stream[1].base;
        bool inside = true;
        for (int k = 0; k < d.rank; k++) {
            int64_t c = i[k];
            if (d.fill.boxed[k]) {
                c += d.fill.origin[k];
                if (c < d.fill.lo[k] || c >= d.fill.hi[k]) {
                    inside = false;
                    if (d.fill.mode == FillMode::constant) break;
                    c = mapped(d.fill.mode, c, d.fill.lo[k], d.fill.hi[k]);
                }
            }
            from += c * d.stream[1].stride[k];
        }
        if (!inside && d.fill.mode == FillMode::constant) {
            std::memcpy(dst.data + at[0], &d.fill.value, bytes);
            if (dst.written) std::memset(dst.written + at[0], 1, bytes);
            return;
        }
        if (src.written) check_written(src, from, bytes, d, m.program(), "the source");
        copy_element(dst, at[0], src, from, bytes);
    });
}

bool inside_box(const Dispatched &d) {
    for (int k = 0; k < d.rank; k++)
        if (d.fill.boxed[k] && (d.fill.origin[k] < d.fill.lo[k] || d.fill.origin[k] + d.extent[k] > d.fill.hi[k])) return false;
    return true;
}

}  // namespace

void move(const Dispatched &d, Memory &m) {
    require_operands(d, m, 2);
    if (info(d.stream[0].type).bytes != info(d.stream[1].type).bytes)
        raise(Diag::types_illegal, place_of(m.program(), d.pc), std::string(d.row->name),
              fmt::format("{} and {}", info(d.stream[0].type).name, info(d.stream[1].type).name));
    if (d.empty) return;
    if (!d.has_fill) return move_plain(d, m);
    if (!inside_box(d)) return move_filled(d, m);
    Dispatched plain = d;
    for (int k = 0; k < d.rank; k++)
        if (d.fill.boxed[k]) plain.stream[1].base += d.fill.origin[k] * d.stream[1].stride[k];
    move_plain(plain, m);
}

}  // namespace emulsion
