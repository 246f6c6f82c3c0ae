// emulsion explore plot
#include "apps/emulsion/verb.h"
#include "apps/explore/verbs/figures.h"
#include "apps/explore/verbs/verbs.h"

#include <fmt/format.h>

namespace emulsion::explore {
namespace {

struct Kind {
    const char *name, *says;
    plot::Figure (*figure)(const FigureWords &);
};

constexpr Kind kinds[] = {
    {"best", "best so far over trials", best_figure},
    {"pareto", "all trials and their front", pareto_figure},
    {"roofline", "trials under peak rate and bandwidth", roofline_figure},
    {"heat", "cycles over --x and --y, all else as in the best schedule", heat_figure},
    {"timeline", "the best schedule, engine by engine", timeline_figure},
    {"drivers", "how soon each driver comes near the best", drivers_figure},
};

struct Options {
    FigureWords words;
    std::string kind = "best", output;
};

int plot_figure(const Options &o) {
    std::vector<std::string> legal;
    for (const Kind &k : kinds) {
        legal.emplace_back(k.name);
        if (o.kind != k.name) continue;
        plot::write(k.figure(o.words), o.output);
        return 0;
    }
    raise(Diag::command_line, {}, fmt::format("--kind: \"{}\" is not {}", o.kind, command::one_of(legal)));
}

}  // namespace

Action plot_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    std::string says;
    for (const Kind &k : kinds) says += fmt::format("{}{}: {}", says.empty() ? "" : "; ", k.name, k.says);
    o->words.trials.add_to(app);
    app.add_option("--kind", o->kind, says)->capture_default_str();
    app.add_option("-o,--output", o->output, "FILE.svg or FILE.png; its figures go into FILE.csv")->required();
    app.add_option("--objectives", o->words.objectives, "pareto: two of cycles,energy,ext_bytes,scratchpad")->capture_default_str();
    app.add_option("--x", o->words.x, "heat: a schedule parameter");
    app.add_option("--y", o->words.y, "heat: another one");
    app.add_option("--key", o->words.key, "heat, timeline: this schedule instead of the best one");
    return [o] { return plot_figure(*o); };
}

}  // namespace emulsion::explore
