// emulsion bench explore: how fast and how far searches prove the layers of whole networks; and trials to within 5 % of the best.
#pragma once
#include <CLI/CLI.hpp>

#include <functional>

namespace emulsion::explore {

std::function<int()> bench_explore(CLI::App &app);

}  // namespace emulsion::explore
