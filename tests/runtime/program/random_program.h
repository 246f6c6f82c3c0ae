// Programs for round trips: small valid ones, and ones whose every field is random.
#pragma once
#include "runtime/program/program.h"

#include <random>
#include <vector>

namespace emulsion {

/// A valid program that uses every table, loops, branches, fills and micro-programs.
Program sample_program();

/// The program with this code and nothing else.
Program program_of(std::vector<Instruction> code);

/// Random values in every field that the encoding holds, extremes included. Enumerations and opcodes are legal, all else is not.
Program random_program(std::mt19937_64 &random);

/// The sample with random values wherever no rule limits them.
Program random_valid_program(std::mt19937_64 &random);

}  // namespace emulsion
