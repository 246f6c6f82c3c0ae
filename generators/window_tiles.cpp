#include "generators/window_tiles.h"

#include <algorithm>

namespace emulsion::generators {

namespace {

constexpr int64_t slots = 2;

bool fits(const WindowBytes &need, const TargetDesc &machine) {
    return slots * need.scratchpad <= static_cast<int64_t>(machine.spm_bytes) * 3 / 4 &&
           slots * need.accumulator <= static_cast<int64_t>(machine.acc_bytes);
}

struct Step {
    int WindowTiles::*size;
    int floor;  ///< not halved below this
};

}  // namespace

WindowTiles window_tiles(const TargetDesc &machine, const WindowTiles &wanted,
                         const std::function<WindowBytes(const WindowTiles &)> &bytes) {
    const int columns = std::max<int>(machine.array.columns, 1), rows = std::max<int>(machine.array.rows, 1);
    const WindowTiles start{std::max(columns, std::min(256, 4 * columns)), 64, 8, std::max(rows, 128)};
    // Rows of a stripe go first, channels last: short stripes only cost halo, narrow channels idle the array.
    const Step steps[] = {{&WindowTiles::y, 4}, {&WindowTiles::ci, rows}, {&WindowTiles::x, 16}, {&WindowTiles::co, columns},
                          {&WindowTiles::y, 1}, {&WindowTiles::x, 4},     {&WindowTiles::ci, 1}, {&WindowTiles::x, 1},
                          {&WindowTiles::co, 1}};
    WindowTiles t;
    for (int WindowTiles::*size : {&WindowTiles::co, &WindowTiles::x, &WindowTiles::y, &WindowTiles::ci})
        t.*size = wanted.*size ? wanted.*size : start.*size;
    for (const Step &step : steps)
        while (wanted.*(step.size) == 0 && t.*(step.size) > step.floor && !fits(bytes(t), machine)) t.*(step.size) = std::max(step.floor, t.*(step.size) / 2);
    return t;
}

}  // namespace emulsion::generators
