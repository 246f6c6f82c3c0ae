// Staging: what is copied into the scratchpad, when, and how many copies overlap.
#pragma once
#include "dsl/halide.h"

#include <source_location>

namespace emulsion {

/// Copies what `consumer` reads of `source` (an input or a Func) into the scratchpad, once per iteration of `level`.
///   before   for ko: for …: consumer reads source
///   after    for ko: load source_tile; for …: consumer reads source_tile          stage_in(source, consumer, {acc, ko})
/// Returns the wrapper Func, for double_buffer and further directives. Errors: EM2xx when the tile is unbounded, EM3xx
/// when all tiles together exceed spm_bytes.
Halide::Func stage_in(Halide::Func source, Halide::Func consumer, Halide::LoopLevel level,
                      std::source_location at = std::source_location::current());

/// The same for all consumers of `source`.
Halide::Func stage_in(Halide::Func source, Halide::LoopLevel level,
                      std::source_location at = std::source_location::current());

/// Copies all that `consumer` reads of `source` into the scratchpad once, before every loop: weights, parameters, tables.
Halide::Func keep_resident(Halide::Func source, Halide::Func consumer,
                           std::source_location at = std::source_location::current());
Halide::Func keep_resident(Halide::Func source, std::source_location at = std::source_location::current());

/// Computes `f` in the scratchpad, once per iteration of `level`. Returns f.
Halide::Func compute_in_scratchpad(Halide::Func f, Halide::LoopLevel level,
                                   std::source_location at = std::source_location::current());

/// `depth` slots for `staged`: it may run up to depth - 1 iterations ahead of its consumers, within one iteration of `outer`.
///   before   for ko: load tile; contract tile
///   after    load tile[0]; for ko: load tile[(ko + 1) mod depth] | contract tile[ko mod depth]
/// `outer` must lie outside the level where `staged` is computed. Needs depth x bytes <= spm_bytes. depth 1: nothing.
void double_buffer(Halide::Func staged, Halide::LoopLevel outer, int depth = 2,
                   std::source_location at = std::source_location::current());

/// Ring depth of the tiles of output `out` that wait for their store.
void stage_out(Halide::Func out, int depth = 2, std::source_location at = std::source_location::current());

}  // namespace emulsion
