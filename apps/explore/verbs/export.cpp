// emulsion explore export: the best schedule as a file that builds read.
#include "apps/explore/verbs/replayed.h"
#include "apps/explore/verbs/trials.h"
#include "apps/explore/verbs/verbs.h"

#include <filesystem>
#include <fmt/format.h>

namespace emulsion::explore {
namespace {

struct Options {
    TrialWords trials;
    std::string key, output = "-";
    bool header = false;
};

ScheduleFile chosen(const Options &o, const Trials &t) {
    if (!o.key.empty()) {
        const Point point = point_of(*t.problem, o.key);
        const Outcome outcome = evaluate(*t.problem, point);
        if (outcome.status != Status::exact) raise(Diag::certificate_refused, {}, "the schedule does not compile: " + outcome.error);
        if (t.best && t.problem->space.key(point) == t.best->key) return *t.best;
        return schedule_file(*t.problem, t.options, point, outcome);
    }
    return t.require_best();
}

int export_schedule(const Options &o) {
    const Trials t = o.trials.trials();
    const ScheduleFile file = chosen(o, t);
    check(file, *t.problem, false);
    replayed(*t.problem, point_of(*t.problem, file.key));  // nothing leaves without its bits compared
    const std::string stem = std::filesystem::path(o.output).stem().string();
    const std::string name = o.output == "-" ? fmt::format("{}_{}", file.request.generator, file.target_name) : stem;
    command::write_file(o.output, o.header ? cpp_header(file, name) : to_json(file).dump(2) + "\n");
    if (o.output != "-")
        fmt::print("{}: {} cycles, search gap {:.2f} %, roofline gap {:.2f} %\n", o.output, file.outcome.cycles, 100 * file.search_gap, 100 * file.roofline_gap);
    return 0;
}

}  // namespace

Action export_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    o->trials.add_to(app);
    app.add_option("--key", o->key, "this schedule instead of the best one");
    app.add_flag("--header", o->header, "a C++ header instead of JSON");
    app.add_option("-o,--output", o->output, "file to write; - is standard output")->capture_default_str();
    return [o] { return export_schedule(*o); };
}

}  // namespace emulsion::explore
