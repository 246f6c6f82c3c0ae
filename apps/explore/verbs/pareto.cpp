// emulsion explore pareto
#include "apps/emulsion/verb.h"
#include "apps/explore/verbs/front_rows.h"
#include "apps/explore/verbs/replayed.h"
#include "apps/explore/verbs/verbs.h"

#include <fmt/format.h>
#include <sstream>

namespace emulsion::explore {
namespace {

struct Options {
    TrialWords trials;
    std::string objectives = "cycles,energy";
    bool search = false, check = false, json = false;
};

int pareto(const Options &o) {
    const std::vector<const Measure *> by = measures_of(o.objectives);
    const FrontTrials f = front_trials(o.trials, by, o.search);
    const Problem &p = *f.trials.problem;
    auto list = nlohmann::ordered_json::array();
    if (!o.json)
        for (const Measure *m : by) fmt::print("{:>20}", heading(*m));
    if (!o.json) fmt::print("  schedule\n");
    for (const Trial &t : f.front) {
        nlohmann::ordered_json row = {{"schedule", t.key}, {"outcome", to_json(t.outcome)}};
        std::string checked;
        if (o.check) {
            const Replayed r = replayed(p, point_of(p, t.key));
            if (r.outcome != t.outcome) raise(Diag::certificate_refused, {}, fmt::format("\"{}\" took {} cycles, now {}", t.key, t.outcome.cycles, r.outcome.cycles));
            row["elements_equal"] = r.bits.elements;
            checked = fmt::format("   verified, {} elements equal stock Halide's", r.bits.elements);
        }
        list.push_back(row);
        if (o.json) continue;
        for (const Measure *m : by) fmt::print("{:>20.0f}", m->of(t.outcome));
        fmt::print("  {}{}\n", t.key, checked);
    }
    nlohmann::ordered_json all = {{"problem", p.title()}, {"machine", p.target.name}, {"trials", f.trials.rows.size()}, {"front", list}};
    std::string summary = fmt::format("{} of {} trials", f.front.size(), f.trials.rows.size());
    if (const FrontReport *r = f.searched.get()) {
        all["state"] = state_names[static_cast<int>(r->state)], all["gap"] = r->gap, all["emulated"] = r->emulated, all["hits"] = r->hits;
        summary += r->gap == 0 ? fmt::format("; proved: no schedule of space {} {} is left out", p.space.name(), p.space.version())
                               : fmt::format("; what was not timed is at most {:.2f} % better", 100 * r->gap);
    }
    if (o.json) fmt::print("{}\n", all.dump(2));
    else fmt::print("{}\n", summary);
    return f.searched ? exit_status(f.searched->state) : 0;
}

}  // namespace

std::string heading(const Measure &m) { return m.unit == std::string(m.name) ? m.name : fmt::format("{} [{}]", m.name, m.unit); }

std::vector<const Measure *> measures_of(const std::string &words) {
    std::vector<const Measure *> list;
    std::vector<std::string> legal;
    for (const Measure &m : measures) legal.emplace_back(m.name);
    std::istringstream in(words);
    for (std::string word; std::getline(in, word, ',');) {
        const auto it = std::find(legal.begin(), legal.end(), word);
        if (it == legal.end()) raise(Diag::command_line, {}, fmt::format("objective \"{}\" is not {}", word, command::one_of(legal)));
        list.push_back(&measures[it - legal.begin()]);
    }
    if (list.size() < 2) raise(Diag::command_line, {}, "a front needs two objectives or more");
    return list;
}

FrontTrials front_trials(const TrialWords &words, const std::vector<const Measure *> &by, bool search) {
    FrontTrials f;
    Trials &t = f.trials;
    t.problem = words.problem(), t.options = words.options();
    if (t.problem->hand.empty()) throw Error(no_legal_schedule(*t.problem));
    Database store(words.db.empty() ? ":memory:" : words.db);
    if (search || store.results(*t.problem).empty()) {
        store.describe(*t.problem);
        f.searched = std::make_unique<FrontReport>(search_front(*t.problem, by, t.options, &store));
    }
    std::vector<std::vector<double>> rows;
    for (const StoredResult &r : store.results(*t.problem)) {
        if (t.options.limits.broken_by(r.outcome)) continue;
        t.rows.push_back({r.schedule, r.outcome});
        rows.emplace_back();
        for (const Measure *m : by) rows.back().push_back(m->of(r.outcome));
    }
    for (const size_t k : front_of(rows)) f.front.push_back(t.rows[k]);
    return f;
}

Action pareto_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    o->trials.add_to(app);
    app.add_option("--objectives", o->objectives, "two or more of cycles,energy,ext_bytes,scratchpad")->capture_default_str();
    app.add_flag("--search", o->search, "look for the whole front, even when the database has rows");
    app.add_flag("--check", o->check, "compile, verify, run and time each schedule of the front again");
    app.add_flag("--json", o->json, "print JSON");
    return [o] { return pareto(*o); };
}

}  // namespace emulsion::explore
