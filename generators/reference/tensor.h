// A small dense tensor for scalar references. Values are doubles, which hold every integer of up to 32 bits exactly.
#pragma once
#include <cassert>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace emulsion::reference {

using Index = std::vector<int>;

/// Dimension 0 is innermost.
struct Tensor {
    Index extents;
    std::vector<double> values;

    explicit Tensor(Index e = {}) : extents(std::move(e)), values(count(), 0.0) {}

    size_t count() const {
        return std::accumulate(extents.begin(), extents.end(), size_t{1}, [](size_t a, int b) { return a * static_cast<size_t>(b); });
    }
    size_t offset(const Index &i) const {
        assert(i.size() == extents.size());
        size_t at = 0;
        for (size_t d = extents.size(); d-- > 0;) at = at * extents[d] + i[d];
        return at;
    }
    bool holds(const Index &i) const {
        for (size_t d = 0; d < extents.size(); d++)
            if (i[d] < 0 || i[d] >= extents[d]) return false;
        return true;
    }
    double &operator()(const Index &i) { return values[offset(i)]; }
    double operator()(const Index &i) const { return values[offset(i)]; }
    /// The value, or `outside` where there is none.
    double at(const Index &i, double outside) const { return holds(i) ? (*this)(i) : outside; }
};

/// Calls f for every index, dimension 0 fastest.
inline void for_each(const Index &extents, const std::function<void(const Index &)> &f) {
    for (int e : extents)
        if (e <= 0) return;
    Index i(extents.size(), 0);
    while (true) {
        f(i);
        size_t d = 0;
        while (d < i.size() && ++i[d] == extents[d]) i[d++] = 0;
        if (d == i.size()) return;
    }
}

}  // namespace emulsion::reference
