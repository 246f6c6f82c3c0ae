// emulsion explore verify: a schedule file, or a run's certificate, held against the machine.
#include "apps/explore/verbs/replayed.h"
#include "apps/explore/verbs/trials.h"
#include "apps/explore/verbs/verbs.h"

#include <fmt/format.h>

namespace emulsion::explore {
namespace {

struct Options {
    std::string file, db, target;
    int64_t run = 0;
    bool quick = false, json = false;
};

ScheduleFile read(const Options &o) {
    if (o.file.empty() == o.db.empty()) raise(Diag::command_line, {}, "name a schedule file, or a database with --db");
    if (!o.file.empty()) {
        const std::vector<uint8_t> bytes = command::read_file(o.file);
        return schedule_file_from({bytes.begin(), bytes.end()}, o.file);
    }
    const Database db(o.db);
    const StoredRun run = db.run(o.run);
    const std::string text = db.certificate(run.id);
    if (text.empty()) raise(Diag::certificate_refused, {}, fmt::format("run {} has none: it found nothing, or its driver proves nothing", run.id));
    return schedule_file_from(text, o.db);
}

int verify_schedule(const Options &o) {
    const ScheduleFile f = read(o);
    const auto p = problem_of(f, load_target(o.target.empty() ? f.target_origin : o.target));
    const ProofCheck c = check(f, *p, !o.quick);
    const Replayed r = replayed(*p, p->space.point(f.key));
    if (o.json) {
        nlohmann::ordered_json j = {{"schedule", f.key}, {"cycles", f.outcome.cycles}, {"bound", f.bound.cycles}, {"smallest_open", f.smallest_open}, {"search_gap", f.search_gap},
                                    {"roofline_gap", f.roofline_gap}, {"elements_equal", r.bits.elements}, {"same_build", f.build == build_hash()}, {"proof_checked", !o.quick}};
        if (!o.quick) j["counts"] = {{"nodes", c.nodes}, {"misfit", c.misfit}, {"pruned", c.pruned}, {"timed", c.timed}};
        fmt::print("{}\n", j.dump(2));
        return 0;
    }
    fmt::print("{} on {}: holds\n  {}\n  {} cycles, {:.3f} uJ, {} B of scratchpad; bound of this schedule {}\n  {}\n", p->title(), p->target.name, f.key,
               f.outcome.cycles, f.outcome.energy_pj / 1e6, f.outcome.spm_bytes, f.bound.cycles, command::equality(r.bits));
    if (!o.quick)
        fmt::print("  nothing in space {} {} is below {:.0f} {}: {} nodes looked at again, {} misfits, {} bounded, {} timed\n  search gap {:.2f} %, roofline gap {:.2f} %\n", f.space_name,
                   f.space_version, f.smallest_open, objective_names[static_cast<int>(f.objective)], c.nodes, c.misfit, c.pruned, c.timed, 100 * f.search_gap, 100 * f.roofline_gap);
    if (f.build != build_hash()) fmt::print("  made by another build, {}: same results\n", f.build);
    return 0;
}

}  // namespace

Action verify_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    app.add_option("file", o->file, "schedule file, as export wrote it");
    app.add_option("--db", o->db, "the certificate of a run in this database instead");
    app.add_option("--run", o->run, "number of the run; default: the last one");
    app.add_option("--target", o->target, "where the machine is now; default: where it was");
    app.add_flag("--quick", o->quick, "schedule, cycles and bits alone: take the proof as given");
    app.add_flag("--json", o->json, "print JSON");
    return [o] { return verify_schedule(*o); };
}

}  // namespace emulsion::explore
