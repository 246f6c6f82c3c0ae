#include "generators/matmul_tiles.h"

#include <algorithm>

namespace emulsion::generators {

namespace {

constexpr int acc_element_bytes = 4;
constexpr int slots = 2;

/// `value` rounded down to a multiple of `step`, but not below `step`.
int floor_to(int64_t value, int64_t step) { return static_cast<int>(std::max(step, value / step * step)); }

}  // namespace

MatmulTiles matmul_tiles(const TargetDesc &machine, const MatmulBytes &bytes, const MatmulTiles &wanted) {
    const int64_t columns = std::max<uint32_t>(machine.array.columns, 1), rows = std::max<uint32_t>(machine.array.rows, 1);
    const int64_t acc = static_cast<int64_t>(machine.acc_bytes) / (slots * acc_element_bytes);
    MatmulTiles t = wanted;
    if (t.n == 0) t.n = static_cast<int>(std::clamp<int64_t>(floor_to(acc / 64, columns), columns, 256));
    if (t.m == 0) t.m = static_cast<int>(std::clamp<int64_t>(acc / t.n, 1, 128));
    const int64_t left = static_cast<int64_t>(machine.spm_bytes) / 2 / slots - int64_t{t.n} * t.m * bytes.out;
    if (t.k == 0) t.k = std::min(512, floor_to(left / (int64_t{t.n} * bytes.b + int64_t{t.m} * bytes.a), rows));
    return t;
}

}  // namespace emulsion::generators
