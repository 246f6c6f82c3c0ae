// Runs stock Halide passes on a pipeline and stops before storage flattening, where loops and storage are still
// multi-dimensional.
//
//   before   Func objects with schedules
//   after    Stmt: for / realize / produce / consume / provide; lets substituted, vector and unroll marks kept as loops
#pragma once
#include "dsl/halide.h"

#include <map>
#include <string>
#include <vector>

namespace emulsion {

struct Lowered {
    Halide::Internal::Stmt stmt;
    std::map<std::string, Halide::Internal::Function> environment;  ///< by name after in() wrapping
    std::vector<std::string> outputs;                               ///< Func names
};

/// `constants`: values for free symbols such as "in.extent.0" that are known at compile time. `renames`: buffer prefix of
/// symbols, from Func name to argument name ("out$1" -> "out").
/// Raises EM2xx with Halide's own text for schedules that stock Halide refuses.
Lowered lower(const std::vector<Halide::Internal::Function> &outputs, const std::map<std::string, Halide::Expr> &constants,
              const std::map<std::string, std::string> &renames);

}  // namespace emulsion
