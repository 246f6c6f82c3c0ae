// Small problems over several generators: their spaces can be listed.
#pragma once
#include "apps/explore/problem.h"

#include <string>
#include <vector>

namespace emulsion::explore {

struct Case {
    std::string name;
    CompileRequest request;
    std::string target;
};

/// At least 20, over at least five generators.
const std::vector<Case> &small_cases();
std::unique_ptr<Problem> problem_of(const Case &c);

/// All legal points with what the emulator says.
std::vector<std::pair<Point, Outcome>> brute_force(const Problem &problem);

}  // namespace emulsion::explore
