// Halide's names of element types, as generator parameters spell them.
#pragma once
#include "runtime/isa/element_type.h"

#include <string>

namespace emulsion::explore {

/// "int8" -> i8, "bfloat16" -> bf16; int8 for names that no row has.
ElementType type_of(const std::string &halide_name);

}  // namespace emulsion::explore
