// emulsion explore replay: one schedule again, with everything that can be checked of it.
#include "apps/explore/verbs/replayed.h"
#include "apps/explore/verbs/verbs.h"

#include <fmt/format.h>

namespace emulsion::explore {
namespace {

int replay(const Problem &p, const std::string &key, bool json) {
    if (p.hand.empty()) throw Error(no_legal_schedule(p));
    const Point point = key.empty() ? p.hand : point_of(p, key);
    const Replayed r = replayed(p, point);
    const Outcome &o = r.outcome;
    if (json) return fmt::print("{}\n", to_json(p, point, r).dump(2)), 0;
    fmt::print("{}\n  {} cycles, bound {} ({:.2f} % below), cheap bound {}, busiest queue {}\n  {:.3f} uJ, bound {:.3f} uJ\n  {} B of scratchpad, expected {}\n"
               "  {}\n  program {}, {:.1f} ms\n",
               p.space.key(point), o.cycles, r.bound.cycles, 100.0 * (1 - static_cast<double>(r.bound.cycles) / static_cast<double>(std::max<uint64_t>(1, o.cycles))), r.partial.cycles,
               r.busiest, o.energy_pj / 1e6, r.bound.energy_pj / 1e6, o.spm_bytes, r.bound.spm_bytes,
               command::equality(r.bits), o.program, o.milliseconds);
    return 0;
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
