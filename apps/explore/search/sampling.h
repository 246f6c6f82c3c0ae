// Random legal points and their neighbours. Deterministic: one generator, no library distribution.
#pragma once
#include "dsl/space.h"

#include <optional>

namespace emulsion::explore {

class Sampler {
public:
    Sampler(const ScheduleSpace &space, uint64_t seed) : space_(space), state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567) {}

    uint64_t below(uint64_t n);
    double unit() { return static_cast<double>(below(uint64_t{1} << 53)) / 9007199254740992.0; }
    /// Uniform values, tried until a legal point comes up; empty after many tries.
    std::optional<Point> point();
    /// One value moved to a near one, or drawn anew.
    std::optional<Point> neighbour(const Point &p);
    /// Values from either parent, one sometimes moved.
    std::optional<Point> child(const Point &a, const Point &b);

private:
    const ScheduleSpace &space_;
    uint64_t state_;
};

}  // namespace emulsion::explore
