// emulsion explore diff: two schedules side by side.
#include "apps/explore/verbs/replayed.h"
#include "apps/explore/verbs/trials.h"
#include "apps/explore/verbs/verbs.h"
#include "runtime/isa/instruction.h"

#include <fmt/format.h>

namespace emulsion::explore {
namespace {

struct Options {
    TrialWords trials;
    std::string other_db;
    std::vector<std::string> keys;
    int64_t other_run = -1;
    bool json = false;
};

struct Side {
    std::string name;
    std::unique_ptr<Problem> problem;
    Point point;
    Outcome outcome;
    TimingReport timing;
};

Side side(std::string name, std::unique_ptr<Problem> problem, const std::string &key) {
    Side s{std::move(name), std::move(problem), {}, {}, {}};
    s.point = key.empty() ? s.problem->hand : point_of(*s.problem, key);
    if (s.point.empty()) throw Error(no_legal_schedule(*s.problem));
    s.outcome = evaluate(*s.problem, s.point);
    s.timing = timed(*s.problem, s.point);
    return s;
}

Side best_side(const TrialWords &words) {
    Trials t = words.trials();
    const std::string key = t.require_best().key;
    return side("best", std::move(t.problem), key);
}

/// Two keys; one key and the best; the best and the hand schedule; the bests of two runs or databases.
std::pair<Side, Side> sides(const Options &o) {
    if (o.keys.size() == 2) return {side("A", o.trials.problem(), o.keys[0]), side("B", o.trials.problem(), o.keys[1])};
    const bool other = !o.other_db.empty() || o.other_run >= 0;
    if (other) {
        TrialWords words = o.trials;
        if (!o.other_db.empty()) words.db = o.other_db;
        if (o.other_run >= 0) words.run = o.other_run;
        return {best_side(o.trials), best_side(words)};
    }
    Side first = o.keys.empty() ? side("hand", o.trials.problem(), "") : side("A", o.trials.problem(), o.keys[0]);
    return {std::move(first), best_side(o.trials)};
}

struct Line {
    std::string name;
    double a, b;
};

std::vector<Line> figures(const Side &a, const Side &b) {
    const auto number = [](uint64_t v) { return static_cast<double>(v); };
    std::vector<Line> lines = {{"cycles", number(a.outcome.cycles), number(b.outcome.cycles)},
                               {"energy_pj", a.outcome.energy_pj, b.outcome.energy_pj},
                               {"ext_read", number(a.timing.ext_read), number(b.timing.ext_read)},
                               {"ext_written", number(a.timing.ext_written), number(b.timing.ext_written)},
                               {"spm_bytes", number(a.outcome.spm_bytes), number(b.outcome.spm_bytes)}};
    for (size_t q = 0; q < std::size(queue_names); q++) {
        const QueueReport &x = a.timing.queue[q], &y = b.timing.queue[q];
        lines.push_back({fmt::format("{} busy", queue_names[q]), number(x.busy), number(y.busy)});
        lines.push_back({fmt::format("{} waits", queue_names[q]), number(x.wait_token + x.wait_issue), number(y.wait_token + y.wait_issue)});
    }
    return lines;
}

int diff(const Options &o) {
    if (o.keys.size() > 2) raise(Diag::command_line, {}, "--key: two schedules at most");
    const auto [a, b] = sides(o);
    const auto left = a.problem->space.values(a.point), right = b.problem->space.values(b.point);
    nlohmann::ordered_json j = {{"a", a.problem->space.key(a.point)}, {"b", b.problem->space.key(b.point)}};
    std::string text = fmt::format("{:<16}{:>16}{:>16}\n", a.problem->title() == b.problem->title() ? "" : "two problems", a.name, b.name);
    for (const SpaceParameter &p : a.problem->space.parameters()) {
        const std::string &x = left.at(p.name), y = right.count(p.name) ? right.at(p.name) : "-";
        if (x == y) continue;
        j["parameters"][p.name] = {x, y};
        text += fmt::format("{:<16}{:>16}{:>16}\n", p.name, x, y);
    }
    if (!j.contains("parameters")) text += "no parameter differs\n";
    for (const Line &l : figures(a, b)) {
        j["figures"][l.name] = {l.a, l.b};
        text += fmt::format("{:<16}{:>16.0f}{:>16.0f}{}\n", l.name, l.a, l.b, l.a > 0 && l.a != l.b ? fmt::format("  {:+.1f} %", 100 * (l.b / l.a - 1)) : "");
    }
    fmt::print("{}", o.json ? j.dump(2) + "\n" : text);
    return 0;
}

}  // namespace

Action diff_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    o->trials.add_to(app);
    command::add_repeated(app, "--key", o->keys, "a schedule; twice: these two; once: it and the best one; never: hand schedule and best one");
    app.add_option("--other-db", o->other_db, "compare with the best in this database");
    app.add_option("--other-run", o->other_run, "compare with the best for the problem of this run")->check(CLI::NonNegativeNumber);
    app.add_flag("--json", o->json, "print JSON");
    return [o] { return diff(*o); };
}

}  // namespace emulsion::explore
