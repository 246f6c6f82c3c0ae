// Engine marks: which engine runs a stage. A mark is a demand: a stage that does not fit its engine is an error.
// Marks travel as Halide trace tags, which survive every copy of a Func:
//   emulsion.engine=mx|ou   emulsion.columns=<var,var>   emulsion.stage_out=<depth>   emulsion.at=<file>:<line>
#pragma once
#include "dsl/halide.h"

#include <source_location>
#include <string>
#include <vector>

namespace emulsion {

/// Adds the tag emulsion.<key>=<value> to `f`.
void mark(Halide::Func f, const std::string &key, const std::string &value);

/// Adds emulsion.at, once: the first directive on a Func names its line.
void mark_place(Halide::Func f, const std::source_location &at);

/// The value of the first tag emulsion.<key>, or "".
std::string find_mark(const Halide::Func &f, const std::string &key);

/// Update 0 of `acc` runs on the MAC array and `acc` lives in the accumulator.
///   columns   output indices that one operand (the weights) and `acc` share
///   streamed  output indices that the other operand and `acc` share
///   rows      reduced indices
///   before    for m: for n: for k: acc(n, m) += a(k, m) * b(n, k)
///   after     contract columns n, streamed m, rows k        (loops not named stay outside, in their order)
/// acc is int32 for integer operands, float32 for float operands. Errors: EM2xx when the update is not such a contraction.
void tile_matmul(Halide::Func acc, const std::vector<Halide::VarOrRVar> &columns,
                 const std::vector<Halide::VarOrRVar> &streamed, const std::vector<Halide::VarOrRVar> &rows,
                 std::source_location at = std::source_location::current());

/// `f` runs on the output unit: it reads accumulators, applies bias, requantize, clamp, table, and writes the scratchpad.
void drain(Halide::Func f, std::source_location at = std::source_location::current());

}  // namespace emulsion
