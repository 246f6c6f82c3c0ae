// The verifier: replays the control of a finished program and proves it safe. Knows nothing of the compiler.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <span>
#include <utility>
#include <vector>

namespace emulsion {

/// One dimension of the elements of a region.
struct RegionStep {
    int64_t stride = 0;  ///< bytes
    int64_t count = 0;
};

/// Proves the program for these argument values and EXT region sizes (bytes; as RegionMemory: range [-origin,
/// bytes-origin)).
struct RegionExtent {
    int64_t lo = 0, hi = 0;
    /// Outputs whose elements are not all of the memory: what the program must write, from byte 0 on. Empty: what the arguments say,
    /// or all of the memory.
    std::vector<RegionStep> elements = {};
    /// Outputs and arena: byte ranges [first, second) that hold values at launch, written by programs before this one.
    std::vector<std::pair<int64_t, int64_t>> held = {};
};

/// Returns the certificate; raises EM4xx for the first rule the program breaks.
Certificate verify(const Program &program, const TargetDesc &target, std::span<const RegionExtent> regions,
                   std::span<const int64_t> arguments);

}  // namespace emulsion
