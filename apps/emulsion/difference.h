// How far two buffers are apart.
#pragma once
#include "dsl/halide.h"

#include <cstdint>
#include <string>

namespace emulsion::command {

struct Difference {
    uint64_t elements = 0;   ///< compared
    uint64_t different = 0;  ///< of these, elements further apart than allowed
    uint64_t largest_ulp = 0;  ///< floats: largest distance in units of the last place
    std::string first;       ///< place and both values of the first different element
};

/// Same type, extents and dense strides. Integers are compared bit for bit; floats may differ by `ulp` units of the last
/// place, and two NaNs are equal.
Difference compare(const Halide::Buffer<> &have, const Halide::Buffer<> &want, uint64_t ulp);

/// "5 elements equal stock Halide's bit for bit", or "... within 2 ulp".
std::string equality(const Difference &difference);

/// Raises EM902 when output `name` has different elements.
void require_equal(const std::string &name, const Difference &difference);

}  // namespace emulsion::command
