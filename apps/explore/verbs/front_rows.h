// The front over the trials of a database, as `pareto` prints and `plot` draws it.
#pragma once
#include "apps/explore/search/front.h"
#include "apps/explore/verbs/trials.h"

namespace emulsion::explore {

/// "cycles,energy" -> their measures, two or more. Raises EM604.
std::vector<const Measure *> measures_of(const std::string &words);

/// "energy [pJ]"
std::string heading(const Measure &measure);

/// The words' rows; when there are none, or with `search`, those of a search for the whole front first, whose report comes along.
struct FrontTrials {
    Trials trials;
    std::vector<Trial> front;
    std::unique_ptr<FrontReport> searched;  ///< null: rows alone
};
FrontTrials front_trials(const TrialWords &words, const std::vector<const Measure *> &by, bool search);

}  // namespace emulsion::explore
