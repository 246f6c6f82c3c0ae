// emulsion explore space
#include "apps/explore/verbs/verbs.h"
#include "apps/explore/verbs/words.h"

#include <fmt/format.h>

namespace emulsion::explore {
namespace {

int print_space(const Problem &p, bool json) {
    const SpaceCounts n = p.space.count();
    if (json) {
        nlohmann::ordered_json j = {{"problem", p.title()}, {"space", p.space.name()}, {"version", p.space.version()}, {"raw", n.raw}, {"canonical", n.canonical}, {"fitting", n.fitting}};
        for (const SpaceParameter &s : p.space.parameters())
            for (const SpaceValue &v : s.values) j["parameters"][s.name].push_back(v.text);
        fmt::print("{}\n", j.dump(2));
        return 0;
    }
    fmt::print("space {} {} of {} on {}\n", p.space.name(), p.space.version(), p.title(), p.target.name);
    for (const SpaceParameter &s : p.space.parameters()) {
        fmt::print("  {:<12}", s.name);
        for (const SpaceValue &v : s.values) fmt::print(" {}", v.text);
        fmt::print("    {}\n", s.says);
    }
    fmt::print("  raw {:.3g}   canonical {}   fitting {}\n", n.raw, n.canonical, n.fitting);
    return 0;
}

}  // namespace

Action space_verb(CLI::App &app) {
    auto words = std::make_shared<ProblemWords>();
    auto json = std::make_shared<bool>(false);
    words->add_to(app);
    app.add_flag("--json", *json, "print JSON");
    return [=] { return print_space(*words->problem(), *json); };
}

}  // namespace emulsion::explore
