// Deterministic damage: every program one edit away from a correct one, by kind of edit.
#pragma once
#include "runtime/program/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace emulsion::test {

struct Mutant {
    std::string what;  ///< "instruction 3: wait token 2 dropped"
    Program program;
};

/// One kind of mistake and all the places of a program where it can be made.
struct Mutation {
    std::string_view kind;
    std::vector<Mutant> (*mutants)(const Program &program);
};

/// wait dropped, signal dropped, token doubled, tokens swapped, address shifted, extent grown, stride grown, ring
/// shortened, loop grown, initial count raised.
extern const std::vector<Mutation> mutations;

}  // namespace emulsion::test
