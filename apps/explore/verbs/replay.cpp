// emulsion explore replay: one schedule again, with everything that can be checked of it.
#include "apps/explore/verbs/verbs.h"
#include "apps/explore/verbs/words.h"
#include "runtime/diag/diag.h"
#include "runtime/emulator/timing_bound.h"

#include <fmt/format.h>

namespace emulsion::explore {
namespace {

int replay(const Problem &p, const std::string &key, bool json) {
    const Point point = key.empty() ? p.hand : point_of(p, key);
    const Compiled compiled = compile(p.at(point), p.target);  // with the verifier
    const Bound bound = p.bound->complete(point), partial = p.bound->partial(point);
    const Outcome o = evaluate(p, point);
    const uint64_t busiest = lower_bound(compiled.program, p.target, {});
    if (json) {
        const nlohmann::ordered_json j = {{"schedule", p.space.key(point)}, {"outcome", to_json(o)}, {"bound", bound.cycles}, {"partial_bound", partial.cycles}, {"busiest_queue", busiest},
                                          {"bound_energy_pj", bound.energy_pj}, {"bound_spm", bound.spm_bytes}, {"verified", compiled.program.certificate.checker_version > 0}, {"ms", o.milliseconds}};
        fmt::print("{}\n", j.dump(2));
    } else {
        fmt::print("{}\n  {} cycles, bound {} ({:.2f} % below), cheap bound {}, busiest queue {}\n  {:.3f} uJ, bound {:.3f} uJ\n  {} B of scratchpad, expected {}\n  program {}, {:.1f} ms\n",
                   p.space.key(point), o.cycles, bound.cycles, 100.0 * (1 - static_cast<double>(bound.cycles) / static_cast<double>(std::max<uint64_t>(1, o.cycles))), partial.cycles, busiest,
                   o.energy_pj / 1e6, bound.energy_pj / 1e6, o.spm_bytes, bound.spm_bytes, o.program, o.milliseconds);
        if (!o.error.empty()) fmt::print("  {}\n", o.error);
    }
    check_bound(p, point, bound, o);
    return o.status == Status::exact ? 0 : 1;
}

}  // namespace

Action replay_verb(CLI::App &app) {
    auto words = std::make_shared<ProblemWords>();
    auto key = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    words->add_to(app);
    app.add_option("--key", *key, "the schedule, as top prints it; default: the hand schedule");
    app.add_flag("--json", *json, "print JSON");
    return [=] { return replay(*words->problem(), *key, *json); };
}

}  // namespace emulsion::explore
