// Arena planning: byte ranges for values with lifetimes, so that no two that live at once overlap.
#pragma once
#include <cstdint>
#include <vector>

namespace emulsion::graph {

/// Lives from step `first` (written) to step `last` (last read), both included.
struct Lifetime {
    int64_t bytes = 0;
    int first = 0, last = 0;
    int64_t alignment = 64;
};

struct ArenaPlan {
    std::vector<int64_t> offsets;  ///< as many as lifetimes
    int64_t peak = 0;              ///< bytes of the arena
    int64_t lower_bound = 0;       ///< most bytes live at one step
};

/// The best of: first fit by size, by size x life, by start; then seeded swaps of the order until the lower bound is met or no turns are
/// left. Deterministic. Source of the order heuristics: Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
/// Inference" (2020).
ArenaPlan plan_arena(const std::vector<Lifetime> &lifetimes);

}  // namespace emulsion::graph
