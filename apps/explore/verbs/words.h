// What the verbs of `emulsion explore` share: the problem's words, the search's options, and how results are printed.
#pragma once
#include "apps/emulsion/request.h"
#include "apps/explore/search/search.h"
#include "runtime/diag/diag.h"

#include <nlohmann/json.hpp>

namespace emulsion::explore {

/// GENERATOR [param=value...] --shape ... --target ...
struct ProblemWords {
    command::RequestOptions request;
    void add_to(CLI::App &app) { request.add_to(app); }
    std::unique_ptr<Problem> problem() const { return make_problem(request.request(), command::target_or(request.target)); }
};

/// GENERATOR param=value --shape b=e,e --target t, as words_of wrote it.
std::unique_ptr<Problem> problem_of(const std::string &words);

/// EM803 with the limits of the space.
Diagnostic no_legal_schedule(const Problem &problem);

/// Options of searches, as the command line spells them.
struct SearchWords {
    std::string driver = "certified", objective = "cycles", time, gap = "0";
    std::vector<std::string> limits, warm_start;
    uint64_t seed = 1, emulations = UINT64_MAX;
    int round = 8, jobs = 1;
    bool no_model = false;

    void add_to(CLI::App &app);
    /// Raises EM604 for words that no option takes.
    SearchOptions options() const;
};

/// "256K" -> 262144, "2ms" with the machine's clock -> cycles, "50uJ" -> pJ. Raises EM604.
double quantity(const std::string &text, double clock_mhz);

nlohmann::ordered_json to_json(const Problem &problem, const SearchReport &report);
std::string to_text(const Problem &problem, const SearchReport &report);
nlohmann::ordered_json to_json(const Outcome &outcome);

/// Exit status of a search: 0 proved or gap reached, 2 no legal schedule, 3 the budget ended first.
int exit_status(State state);

/// The key's point. Raises EM804.
Point point_of(const Problem &problem, const std::string &key);

}  // namespace emulsion::explore
