// The two forms in which one algorithm is written.
#pragma once
#include "dsl/halide.h"

namespace emulsion {

/// plain: Halide expressions only, the reference on x86. npu: calls that name the machine's own operation where it has one
/// (emulsion.requantize.*, emulsion.fill.*). Both forms of every function here have exactly the same integer meaning.
enum class Form { plain, npu };

}  // namespace emulsion
