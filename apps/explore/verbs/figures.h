// The figures of `plot`, one function each.
#pragma once
#include "apps/explore/plot/figure.h"
#include "apps/explore/verbs/trials.h"

namespace emulsion::explore {

struct FigureWords {
    TrialWords trials;
    std::string objectives = "cycles,energy", x, y, key;
};

plot::Figure best_figure(const FigureWords &words);      ///< best so far over trials, with bound and roofline
plot::Figure pareto_figure(const FigureWords &words);    ///< all trials and their front
plot::Figure roofline_figure(const FigureWords &words);  ///< trials under peak rate and bandwidth
plot::Figure heat_figure(const FigureWords &words);      ///< the best schedule with two of its parameters changed
plot::Figure timeline_figure(const FigureWords &words);  ///< one schedule, engine by engine
plot::Figure drivers_figure(const FigureWords &words);   ///< how soon each driver comes near the best

}  // namespace emulsion::explore
