// Sets of bytes: sorted maximal runs, and the runs a strided access touches.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace emulsion::verifier {

/// Bytes [lo, hi).
struct ByteRange {
    int64_t lo = 0, hi = 0;
    bool operator==(const ByteRange &) const = default;
};

/// Sorted, disjoint, not touching.
using Runs = std::vector<ByteRange>;

/// Sorts and joins `runs` in place.
void make_canonical(Runs &runs);

/// Bytes in both sets.
Runs common_bytes(const Runs &a, const Runs &b);

/// One loop of a strided access: `count` >= 1 turns, `stride` bytes apart.
struct Step {
    int64_t stride = 0, count = 1;
};

/// A set of bytes `origin + pattern + sum of k[d] * stride[d]`, kept small: loops that leave no gaps are folded into
/// runs.
///
///   8 rows of 64 bytes, row stride 64      ->   one run of 512
///   3 taps over 16 pixels, both stride 4   ->   one run of 72
///   8 rows of 64 bytes, row stride 512     ->   pattern [0, 64), step {512, 8}
class Lattice {
public:
    /// Most runs that one access may have; beyond it the access counts as out of budget.
    static constexpr int64_t run_limit = 1 << 22;

    /// pattern: canonical, not empty. No result: more than run_limit runs.
    static std::optional<Lattice> make(int64_t origin, Runs pattern, std::vector<Step> steps);

    /// Smallest run that holds every byte.
    ByteRange hull() const;
    int64_t run_count() const;
    /// The bytes as canonical runs.
    Runs runs() const;

private:
    bool fold(std::vector<Step> steps);
    bool expand(const Step &step);
    void enumerate(size_t step, int64_t at, Runs &out) const;
    int64_t span() const { return pattern_.back().hi - pattern_.front().lo; }

    int64_t origin_ = 0;
    Runs pattern_;
    std::vector<Step> steps_;  ///< by increasing stride; each stride is larger than what lies inside it
};

}  // namespace emulsion::verifier
