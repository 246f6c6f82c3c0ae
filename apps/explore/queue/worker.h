// One worker: reads jobs, times them, writes results.
#pragma once
#include "apps/explore/queue/wire.h"

#include <iosfwd>

namespace emulsion::explore {

/// Until the input ends. Lines that are no jobs are answered with nothing and counted; returns how many there were.
int serve(const Problem &problem, std::istream &in, std::ostream &out);

}  // namespace emulsion::explore
