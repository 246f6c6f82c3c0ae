// Affine forms of index expressions.
#pragma once
#include "dsl/halide.h"

#include <optional>
#include <string>
#include <vector>

namespace emulsion {

/// constant + sum over k of coefficient[k] * variable[k]; constant and coefficients are free of the variables.
struct Affine {
    Halide::Expr constant;
    std::vector<Halide::Expr> coefficient;  ///< one per variable, defined, may be 0
};

/// The affine form of `e` (int32) in `variables`, or nothing if `e` is not affine in them or reads memory.
std::optional<Affine> affine_in(const Halide::Expr &e, const std::vector<std::string> &variables);

/// True if `e` mentions none of `variables`.
bool free_of(const Halide::Expr &e, const std::vector<std::string> &variables);

/// True if `e` reads a Func or an image.
bool reads_memory(const Halide::Expr &e);

/// The value of `e` if it is a constant after simplification.
std::optional<int64_t> constant_value(const Halide::Expr &e);

}  // namespace emulsion
