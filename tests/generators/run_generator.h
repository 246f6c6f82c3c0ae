// Runs a generator's x86 reference build on tensors and makes random ones.
#pragma once
#include "generators/reference/tensor.h"

#include <map>
#include <random>
#include <string>

namespace emulsion {

using Params = std::map<std::string, std::string>;
using Tensors = std::map<std::string, reference::Tensor>;

struct GeneratorRun {
    std::string generator = {};
    Params params = {};
    Tensors inputs = {};
    std::map<std::string, double> scalars = {};
    reference::Index out_extents = {};
};

/// The output "out" of the reference build.
reference::Tensor run_generator(const GeneratorRun &run);

/// Integers in [lo, hi].
reference::Tensor random_integers(std::mt19937 &random, reference::Index extents, int lo, int hi);
/// Multiples of 1/64 in [-2, 2]: exact in float16 and bfloat16 up to rounding of the type.
reference::Tensor random_reals(std::mt19937 &random, reference::Index extents);
/// An integer in [lo, hi].
int pick(std::mt19937 &random, int lo, int hi);

/// Every element equal within tolerance * (1 + |expected|); reports the first that is not.
void expect_equal(const reference::Tensor &got, const reference::Tensor &expected, double tolerance = 0);

}  // namespace emulsion
