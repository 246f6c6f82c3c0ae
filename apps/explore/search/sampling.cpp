#include "apps/explore/search/sampling.h"

#include <algorithm>

namespace emulsion::explore {

namespace {

constexpr int tries = 2000;

}  // namespace

// splitmix64 (Steele, Lea, Flood 2014).
uint64_t Sampler::below(uint64_t n) {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return n ? (z ^ (z >> 31)) % n : 0;
}

std::optional<Point> Sampler::point() {
    for (int k = 0; k < tries; k++) {
        Point p;
        for (const SpaceParameter &parameter : space_.parameters()) p.push_back(static_cast<int16_t>(below(parameter.values.size())));
        if (space_.legal(p)) return p;
    }
    return {};
}

std::optional<Point> Sampler::neighbour(const Point &p) {
    for (int k = 0; k < tries; k++) {
        Point q = p;
        const size_t at = below(q.size());
        const auto n = static_cast<int>(space_.parameters()[at].values.size());
        if (n < 2) continue;
        const int step = below(4) == 0 ? static_cast<int>(below(static_cast<uint64_t>(n))) - q[at] : below(2) ? 1 : -1;
        q[at] = static_cast<int16_t>(std::clamp(q[at] + step, 0, n - 1));
        if (q != p && space_.legal(q)) return q;
    }
    return {};
}

std::optional<Point> Sampler::child(const Point &a, const Point &b) {
    for (int k = 0; k < tries; k++) {
        Point q = a;
        for (size_t d = 0; d < q.size(); d++)
            if (below(2)) q[d] = b[d];
        if (below(10) < 4) {
            const size_t at = below(q.size());
            q[at] = static_cast<int16_t>(below(space_.parameters()[at].values.size()));
        }
        if (space_.legal(q)) return q;
    }
    return {};
}

}  // namespace emulsion::explore
