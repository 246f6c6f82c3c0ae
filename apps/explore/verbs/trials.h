// Where the verbs that look back take their trials from: the rows of a database, or a search made first.
#pragma once
#include "apps/explore/export/schedule_file.h"
#include "apps/explore/verbs/words.h"

namespace emulsion::explore {

struct Trial {
    std::string key;
    Outcome outcome;  ///< exact
};

struct Trials {
    std::unique_ptr<Problem> problem;
    SearchOptions options;
    std::vector<Trial> rows;            ///< of all schedules timed to their end, best cycles first
    std::unique_ptr<ScheduleFile> best; ///< by the objective, within the limits, with what is known of its gap; null: no trial keeps them

    /// Raises EM803 when there is none.
    const ScheduleFile &require_best() const;
};

/// GENERATOR ... with the options of a search, or --db FILE --run N.
struct TrialWords {
    ProblemWords words;
    SearchWords search;
    std::string db;
    int64_t run = -1;  ///< below 0: not given; 0: the last one

    void add_to(CLI::App &app);
    std::unique_ptr<Problem> problem() const;
    SearchOptions options() const;
    /// The rows of `db`; a search first when it has none, one for each of `objectives` (empty: the one asked for). Raises EM803.
    Trials trials(const std::vector<Objective> &objectives = {}) const;
    /// The whole search in the order of its trials. What the database has answers at once: it is the search that was made, again.
    SearchReport search_again(const Problem &problem, const SearchOptions &options, const SearchHooks &hooks = {}) const;
};

}  // namespace emulsion::explore
