#include "npu_backend/verify/boundary.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

int64_t modulo(int64_t a, int64_t b) {
    const int64_t r = a % b;
    return r < 0 ? r + b : r;
}

// Halide's BoundaryConditions, for coordinates counted from the start of a box of n elements.
int64_t repeat_image(int64_t c, int64_t n) { return modulo(c, n); }
int64_t mirror_image(int64_t c, int64_t n) {
    const int64_t m = modulo(c, 2 * n);
    return m >= n ? 2 * n - 1 - m : m;
}
int64_t mirror_interior(int64_t c, int64_t n) {
    if (n == 1) return 0;
    const int64_t m = modulo(c, 2 * n - 2);
    return m > n - 1 ? 2 * n - 2 - m : m;
}

using Map = int64_t (*)(int64_t c, int64_t n);
constexpr Map periodic[] = {nullptr, nullptr, repeat_image, mirror_image, mirror_interior};

Runs periodic_coordinates(Map map, int64_t origin, int64_t extent, int64_t lo, int64_t n) {
    // Every map repeats after at most 2 n coordinates.
    if (extent / 2 >= n) return {{lo, lo + n}};
    Runs read;
    for (int64_t i = 0; i < extent; i++) {
        const int64_t c = lo + map(origin + i - lo, n);
        read.push_back({c, c + 1});
    }
    make_canonical(read);
    return read;
}

}  // namespace

Runs coordinates_read(FillMode mode, int64_t origin, int64_t extent, int64_t lo, int64_t hi) {
    const int64_t first = origin, last = origin + extent - 1;
    if (mode == FillMode::constant) {
        const ByteRange r{std::max(first, lo), std::min(last + 1, hi)};
        return r.lo < r.hi ? Runs{r} : Runs{};
    }
    if (mode == FillMode::repeat_edge) return {{std::clamp(first, lo, hi - 1), std::clamp(last, lo, hi - 1) + 1}};
    return periodic_coordinates(periodic[static_cast<int>(mode)], origin, extent, lo, hi - lo);
}

}  // namespace emulsion::verifier
