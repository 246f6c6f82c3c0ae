// The machine's memories, as Halide memory types for store_in.
#pragma once
#include "dsl/halide.h"

namespace emulsion {

/// Software-managed scratchpad (SPM): every engine reads it.
inline constexpr Halide::MemoryType scratchpad = Halide::MemoryType::VTCM;
/// Accumulators of the MAC array (ACC): int32 or float32; written by contractions, read by the output unit.
inline constexpr Halide::MemoryType accumulator = Halide::MemoryType::AMXTile;
/// External memory (EXT): intermediate results that do not fit the scratchpad.
inline constexpr Halide::MemoryType external = Halide::MemoryType::Heap;

}  // namespace emulsion
