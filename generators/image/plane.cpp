#include "generators/image/plane.h"

#include <algorithm>

namespace emulsion::generators {

using namespace Halide;

PlaneTile plane_tile(const TargetDesc &machine, int bytes) {
    constexpr int border_x = 32, border_y = 16, most_rows = 64, narrowest = 64;
    for (int x = 2048;; x /= 2) {
        const int64_t rows = static_cast<int64_t>(machine.spm_bytes) * 3 / 4 / (int64_t{bytes} * (x + border_x)) - border_y;
        if (rows >= 16 || x == narrowest) return {x, static_cast<int>(std::clamp<int64_t>(rows / 2 * 2, 2, most_rows))};
    }
}

Func Stages::add(const std::string &name, const Expr &value) {
    Func f(name);
    f(x, y) = value;
    return add(f);
}

int Stages::bytes() const {
    int total = 0;
    for (const Func &f : funcs_)
        for (const Type &t : f.types()) total += t.bytes();
    return total;
}

Func pair_x(Stages &stages, const std::string &name, const Func &f, int step) {
    return stages.add(name, f(stages.x, stages.y) + f(stages.x + step, stages.y));
}

Func pair_y(Stages &stages, const std::string &name, const Func &f, int step) {
    return stages.add(name, f(stages.x, stages.y) + f(stages.x, stages.y + step));
}

}  // namespace emulsion::generators
