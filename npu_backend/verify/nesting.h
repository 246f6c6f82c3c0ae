// Rule 8: loops nest, branches stay inside their loop body, and control ends in a halt.
#pragma once
#include "runtime/program/program.h"

namespace emulsion::verifier {

/// Raises EM4xx.
void check_nesting(const Program &program);

}  // namespace emulsion::verifier
