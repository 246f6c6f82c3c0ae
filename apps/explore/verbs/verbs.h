// The verbs of `emulsion explore`: each adds its options to a subcommand and returns what it does.
#pragma once
#include <CLI/CLI.hpp>

#include <functional>

namespace emulsion::explore {

using Action = std::function<int()>;

Action space_verb(CLI::App &app);
Action run_verb(CLI::App &app);
Action resume_verb(CLI::App &app);
Action status_verb(CLI::App &app);
Action top_verb(CLI::App &app);
Action pareto_verb(CLI::App &app);
Action diff_verb(CLI::App &app);
Action plot_verb(CLI::App &app);
Action export_verb(CLI::App &app);
Action replay_verb(CLI::App &app);
Action verify_verb(CLI::App &app);
Action merge_verb(CLI::App &app);
Action import_verb(CLI::App &app);
Action export_jsonl_verb(CLI::App &app);
Action worker_verb(CLI::App &app);

}  // namespace emulsion::explore
