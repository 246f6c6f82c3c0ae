// Other machines, and deeper rings, for the same program: each answer is a simulation, never an estimate.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <span>
#include <string>
#include <vector>

namespace emulsion {

struct WhatIf {
    std::string change;   ///< "twice the external bandwidth"
    uint64_t cycles = 0;  ///< of the program after this one change
};

/// All changes, the most helpful first; changes that gain nothing are left in. The program itself stays as it is: a
/// schedule made for the changed machine may gain more. Raises as simulate() does.
std::vector<WhatIf> what_if(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments);

}  // namespace emulsion
