// The hash that a certificate signs.
#pragma once
#include "runtime/program/program.h"

#include <cstdint>

namespace emulsion {

/// XXH64 of the container with an empty certificate.
uint64_t program_hash(const Program &program);

}  // namespace emulsion
