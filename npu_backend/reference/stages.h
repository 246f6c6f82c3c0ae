// The default schedule of an algorithm on the CPU: every stage once.
#pragma once
#include "dsl/halide.h"

namespace emulsion {

/// Gives every non-output stage that nobody scheduled its own buffer (compute_root): inlined, it would be computed again for
/// every use.
///   before   for x: out(x) = f(x - 1) + f(x + 1), f inlined twice
///   after    for x: f(x) = ...;   for x: out(x) = f(x - 1) + f(x + 1)
void compute_stages_once(const Halide::Pipeline &pipeline);

}  // namespace emulsion
