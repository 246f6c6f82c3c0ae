#include "apps/explore/verbs/words.h"

#include "apps/emulsion/verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace emulsion::explore {
namespace {

struct Unit {
    const char *name;
    double factor;
};

// Bytes, cycles (times the clock in MHz) and picojoules.
constexpr Unit plain_units[] = {{"", 1}, {"B", 1}, {"K", 1024}, {"KiB", 1024}, {"M", 1048576}, {"MiB", 1048576}, {"%", 0.01}, {"s", 1}, {"m", 60},
                                {"pJ", 1}, {"nJ", 1e3}, {"uJ", 1e6}, {"mJ", 1e9}};
constexpr Unit clock_units[] = {{"us", 1}, {"ms", 1e3}};

template<typename E, size_t n>
E choice(const char *const (&names)[n], const std::string &option, const std::string &word) {
    for (size_t k = 0; k < n; k++)
        if (word == names[k]) return static_cast<E>(k);
    raise(Diag::command_line, {}, fmt::format("--{}: \"{}\" is not {}", option, word, command::one_of(std::vector<std::string>(names, names + n))));
}

}  // namespace

double quantity(const std::string &text, double clock_mhz) {
    size_t at = 0;
    double value = 0;
    try {
        value = std::stod(text, &at);
    } catch (const std::exception &) {
        raise(Diag::command_line, {}, fmt::format("\"{}\" is not a number with a unit", text));
    }
    const std::string unit = text.substr(at);
    for (const Unit &u : plain_units)
        if (unit == u.name) return value * u.factor;
    for (const Unit &u : clock_units)
        if (unit == u.name) return value * u.factor * clock_mhz;
    raise(Diag::command_line, {}, fmt::format("\"{}\": the unit \"{}\" is none of B K M % s m us ms pJ nJ uJ mJ", text, unit));
}

std::unique_ptr<Problem> problem_of(const std::string &words) {
    ProblemWords w;
    std::istringstream in(words);
    for (std::string word; in >> word;) {
        if (word == "--shape" && in >> word) w.request.shapes.push_back(word);
        else if (word == "--target" && in >> word) w.request.target = word;
        else w.request.words.push_back(word);
    }
    return w.problem();
}

Diagnostic no_legal_schedule(const Problem &problem) {
    std::string limits;
    for (const SpaceLimit &l : problem.space.limits()) limits += fmt::format("{}{} = {}", limits.empty() ? "" : ", ", l.name, l.limit);
    return make_diagnostic(Diag::no_legal_schedule, {}, fmt::make_format_args(problem.request.generator, limits));
}

void SearchWords::add_to(CLI::App &app) {
    app.add_option("--driver", driver, "certified (proves), random, evolution or annealing")->capture_default_str();
    app.add_option("--objective", objective, "cycles, energy, edp or spm")->capture_default_str();
    command::add_repeated(app, "--limit", limits, "spm=256K, cycles=2ms or energy=50uJ: only schedules within");
    command::add_repeated(app, "--warm-start", warm_start, "a schedule key to try first");
    app.add_option("--gap", gap, "stop once the best is proved this close, such as 1%")->capture_default_str();
    app.add_option("--time", time, "stop after this long, such as 60s or 5m");
    app.add_option("--max-emulations", emulations, "stop after this many timed schedules");
    app.add_option("--seed", seed, "of random drivers")->capture_default_str();
    app.add_option("--round", round, "schedules timed between two decisions; part of the answer's identity")->capture_default_str()->check(CLI::PositiveNumber);
    app.add_option("--jobs", jobs, "threads; the answer does not depend on them")->capture_default_str()->check(CLI::PositiveNumber);
    app.add_flag("--no-model", no_model, "do not order candidates by a learned model");
}

SearchOptions SearchWords::options() const {
    SearchOptions o;
    o.driver = choice<Driver>(driver_names, "driver", driver);
    o.objective = choice<Objective>(objective_names, "objective", objective);
    o.gap = quantity(gap, 1);
    if (!time.empty()) o.seconds = quantity(time, 1);
    o.seed = seed, o.emulations = emulations, o.round = round, o.jobs = jobs, o.model = !no_model, o.warm_start = warm_start;
    for (const std::string &word : limits) {
        const auto [name, value] = command::split_assignment(word);
        if (name == "spm") o.limits.spm_bytes = static_cast<uint64_t>(quantity(value, 1));
        else if (name == "cycles") o.limits.cycles = static_cast<uint64_t>(quantity(value, 1000));
        else if (name == "energy") o.limits.energy_pj = quantity(value, 1);
        else raise(Diag::command_line, {}, fmt::format("--limit: \"{}\" is not {}", name, command::one_of({"spm", "cycles", "energy"})));
    }
    return o;
}

nlohmann::ordered_json to_json(const Outcome &o) {
    nlohmann::ordered_json j = {{"status", status_names[static_cast<int>(o.status)]}, {"cycles", o.cycles}, {"energy_pj", o.energy_pj},
                                {"spm_bytes", o.spm_bytes}, {"ext_bytes", o.ext_bytes}, {"program", o.program}};
    if (o.status == Status::cut) j["limit"] = o.limit;
    if (!o.error.empty()) j["error"] = o.error;
    return j;
}

nlohmann::ordered_json to_json(const Problem &p, const SearchReport &r) {
    const Roofline roof = p.bound->roofline();
    nlohmann::ordered_json j = {{"problem", p.title()}, {"machine", p.target.name}, {"space", fmt::format("{} {}", p.space.name(), p.space.version())},
                                {"state", state_names[static_cast<int>(r.state)]}};
    if (!r.best.empty()) j["best"] = {{"schedule", p.space.key(r.best)}, {"score", r.best_score}, {"outcome", to_json(r.outcome)}};
    if (!r.conflict.empty()) j["conflict"] = r.conflict;
    j["smallest_open"] = r.smallest_open;
    j["search_gap"] = r.search_gap();
    j["roofline_gap"] = r.roofline_gap(p);
    j["roofline"] = {{"mac_cycles", roof.mac_cycles}, {"ext_cycles", roof.ext_cycles}};
    j["counts"] = {{"nodes", r.nodes}, {"misfit", r.misfit}, {"pruned", r.pruned}, {"refined", r.refined}, {"emulated", r.emulated}, {"hits", r.hits}, {"failed", r.failed}};
    j["seconds"] = r.seconds;
    if (!r.model_hash.empty()) j["model"] = r.model_hash;
    return j;
}

std::string to_text(const Problem &p, const SearchReport &r) {
    if (r.best.empty()) return fmt::format("{} on {}: {}{}\n", p.title(), p.target.name, state_names[static_cast<int>(r.state)], r.conflict.empty() ? "" : ", these limits conflict: " + r.conflict);
    std::string text = fmt::format("{} on {}: {}\n", p.title(), p.target.name, state_names[static_cast<int>(r.state)]);
    text += fmt::format("  best          {} cycles, {:.3f} uJ, {} B of scratchpad\n", r.outcome.cycles, r.outcome.energy_pj / 1e6, r.outcome.spm_bytes);
    text += fmt::format("  schedule      {}\n", p.space.key(r.best));
    text += fmt::format("  search gap    {:.2f} % (nothing in space {} {} is below {:.0f})\n", 100 * r.search_gap(), p.space.name(), p.space.version(), r.smallest_open);
    text += fmt::format("  roofline gap  {:.2f} % ({} cycles)\n", 100 * r.roofline_gap(p), p.bound->roofline().cycles());
    text += fmt::format("  timed         {} schedules, {} from the database, {} did not compile\n", r.emulated, r.hits, r.failed);
    text += fmt::format("  looked at     {} nodes, {} misfits, {} pruned, {} leaves bounded in {:.1f} s\n", r.nodes, r.misfit, r.pruned, r.refined, r.seconds);
    return text;
}

int exit_status(State state) {
    constexpr int done = 0, none = 2, budget = 3;
    switch (state) {
    case State::proved:
    case State::gap_reached: return done;
    case State::none_legal: return none;
    default: return budget;
    }
}

Point point_of(const Problem &problem, const std::string &key) {
    const Point point = problem.space.point(key);
    if (point.empty()) {
        std::string legal;
        for (const SpaceParameter &p : problem.space.parameters()) {
            legal += fmt::format("{}{}=", legal.empty() ? "" : " ", p.name);
            for (size_t k = 0; k < p.values.size(); k++) legal += (k ? "|" : "") + p.values[k].text;
        }
        raise(Diag::schedule_key_unknown, {}, key, legal);
    }
    return point;
}

}  // namespace emulsion::explore
