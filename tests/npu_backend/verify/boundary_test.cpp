// The coordinates a boundary fill reads, against Halide's BoundaryConditions formulas applied one by one.
#include "npu_backend/verify/boundary.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <set>

namespace emulsion::verifier {
namespace {

int64_t euclidean(int64_t a, int64_t b) { return b == 0 ? 0 : ((a % b) + b) % b; }

std::optional<int64_t> mapped(FillMode mode, int64_t c, int64_t lo, int64_t hi) {
    const int64_t n = hi - lo;
    switch (mode) {
    case FillMode::constant:
        return c >= lo && c < hi ? std::optional(c) : std::nullopt;
    case FillMode::repeat_edge:
        return std::clamp(c, lo, hi - 1);
    case FillMode::repeat_image:
        return euclidean(c - lo, n) + lo;
    case FillMode::mirror_image: {
        const int64_t m = euclidean(c - lo, 2 * n);
        return (m >= n ? 2 * n - 1 - m : m) + lo;
    }
    case FillMode::mirror_interior: {
        const int64_t limit = n - 1, m = euclidean(c - lo, 2 * limit);
        return (m > limit ? 2 * limit - m : m) + lo;
    }
    }
    return {};
}

TEST(Boundary, ReadsExactlyTheMappedCoordinates) {
    for (FillMode mode : {FillMode::constant, FillMode::repeat_edge, FillMode::repeat_image, FillMode::mirror_image,
                          FillMode::mirror_interior})
        for (int64_t lo = -3; lo <= 2; lo++)
            for (int64_t n = 1; n <= 6; n++)
                for (int64_t origin = -9; origin <= 9; origin++)
                    for (int64_t extent = 1; extent <= 14; extent++) {
                        std::set<int64_t> expected, read;
                        for (int64_t i = 0; i < extent; i++)
                            if (auto c = mapped(mode, origin + i, lo, lo + n)) expected.insert(*c);
                        for (const ByteRange &r : coordinates_read(mode, origin, extent, lo, lo + n))
                            for (int64_t c = r.lo; c < r.hi; c++) read.insert(c);
                        ASSERT_EQ(read, expected) << static_cast<int>(mode) << " lo " << lo << " n " << n << " origin "
                                                  << origin << " extent " << extent;
                    }
}

}  // namespace
}  // namespace emulsion::verifier
