// emulsion explore: searches of schedules with a proof of how far from the best the answer can be.
#include "apps/emulsion/verb.h"
#include "apps/explore/verbs/verbs.h"
#include "runtime/diag/diag.h"

#include <memory>

namespace emulsion::explore {
namespace {

struct Row {
    const char *name, *says;
    Action (*set_up)(CLI::App &);
};

constexpr Row rows[] = {
    {"space", "size of the schedule space", space_verb},
    {"run", "search for the best schedule", run_verb},
    {"resume", "go on with a run that was stopped", resume_verb},
    {"status", "gaps and counts of the runs in a database", status_verb},
    {"top", "the best schedules in a database", top_verb},
    {"pareto", "schedules that no other one beats in every objective", pareto_verb},
    {"diff", "two schedules side by side", diff_verb},
    {"plot", "pictures of searches and schedules, SVG or PNG", plot_verb},
    {"export", "the best schedule as a parameter file or a C++ header", export_verb},
    {"replay", "compile, verify, run and time one schedule again", replay_verb},
    {"verify", "does a schedule file, or the certificate of a run, hold?", verify_verb},
    {"merge", "add the rows of other databases", merge_verb},
    {"worker", "time schedules that come as lines on standard input", worker_verb},
    {"import", "add rows from JSON lines", import_verb},
    {"export-jsonl", "all rows as JSON lines", export_jsonl_verb},
};

const command::RegisterVerb verb{
    {"explore", "Searches schedules and proves how good they are.",
     {"emulsion explore space conv2d pad_x=1 pad_y=1 --shape in=64,56,56,1 --shape weights=64,64,3,3 --shape out=64,56,56,1 --shape bias=64 --shape multiplier=64 --shape shift=64",
      "emulsion explore run matmul --shape a=512,512 --shape b=512,512 --shape out=512,512 --shape bias=512 --shape multiplier=512 --shape shift=512 --db tune.db --gap 1%",
      "emulsion explore resume --db tune.db"},
     [](CLI::App &app) {
         auto actions = std::make_shared<std::vector<std::pair<CLI::App *, Action>>>();
         for (const Row &r : rows) {
             CLI::App *sub = app.add_subcommand(r.name, r.says);
             actions->emplace_back(sub, r.set_up(*sub));
         }
         app.require_subcommand(1);
         return [actions] {
             for (const auto &[sub, action] : *actions)
                 if (sub->parsed()) return action();
             return 1;
         };
     }}};

}  // namespace
}  // namespace emulsion::explore
