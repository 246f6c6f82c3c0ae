// emulsion explore run, resume, status
#include "apps/explore/verbs/verbs.h"
#include "apps/explore/verbs/words.h"
#include "runtime/diag/diag.h"

#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <unistd.h>

namespace emulsion::explore {
namespace {

std::atomic<bool> stop_asked{false};

void ask_stop(int) { stop_asked = true; }

/// One line that a terminal overwrites; without a terminal a line every few seconds.
class ProgressLine {
public:
    ProgressLine(const Problem &problem, bool wanted) : problem_(problem), wanted_(wanted), terminal_(isatty(STDERR_FILENO)) {}
    ~ProgressLine() {
        if (printed_ && terminal_) fmt::print(stderr, "\n");
    }

    void show(const Progress &p) {
        if (!wanted_ || p.seconds < next_) return;
        next_ = p.seconds + (terminal_ ? 0.2 : 5);
        printed_ = true;
        const double gap = p.best > 0 ? 100 * (p.best - p.smallest_open) / p.best : 100;
        const auto roof = static_cast<double>(problem_.bound->roofline().cycles());
        fmt::print(stderr, "{}{} {}   {} timed ({} hits)   best {:.0f}   search gap {:.1f} %   roofline gap {:.1f} %   open {}   {:.0f}/s{}",
                   terminal_ ? "\r" : "", problem_.title(), problem_.target.name, p.emulated, p.hits, p.best, gap, 100 * (p.best / roof - 1), p.open,
                   static_cast<double>(p.emulated + p.hits) / std::max(0.001, p.seconds), terminal_ ? "\x1b[K" : "\n");
    }

private:
    const Problem &problem_;
    bool wanted_, terminal_, printed_ = false;
    double next_ = 0;
};

struct Options {
    ProblemWords words;
    SearchWords search;
    std::string db;
    int64_t run = 0;
    bool json = false, no_progress = false, quiet = false;
};

nlohmann::ordered_json certificate_of(const Problem &p, const SearchOptions &o, const SearchReport &r) {
    nlohmann::ordered_json j = to_json(p, r);
    j.erase("seconds");
    j["hashes"] = {{"problem", p.hash}, {"machine", p.machine_hash}, {"build", build_hash()}, {"space", p.space_hash}};
    j["options"] = nlohmann::ordered_json::parse(o.text());
    j["words"] = words_of(p);
    return j;
}

int search_and_report(const Problem &problem, const SearchOptions &options, Database *db, int64_t run, const Options &o) {
    if (problem.hand.empty()) {
        std::string limits;
        for (const SpaceLimit &l : problem.space.limits()) limits += fmt::format("{}{} = {}", limits.empty() ? "" : ", ", l.name, l.limit);
        fmt::print(stderr, "{}\n", make_diagnostic(Diag::no_legal_schedule, {}, fmt::make_format_args(problem.request.generator, limits)).text());
        return exit_status(State::none_legal);
    }
    stop_asked = false;
    std::signal(SIGINT, ask_stop);
    std::signal(SIGTERM, ask_stop);
    ProgressLine line(problem, !o.no_progress && !o.json);
    SearchHooks hooks;
    hooks.stop = &stop_asked;
    hooks.progress = [&](const Progress &p) { line.show(p); };
    const SearchReport report = search(problem, options, db, hooks);
    if (db) {
        db->end_run(run, state_names[static_cast<int>(report.state)], to_json(problem, report).dump());
        if (options.driver == Driver::certified && !report.best.empty()) db->store_certificate(run, certificate_of(problem, options, report).dump(2));
    }
    if (o.json) fmt::print("{}\n", to_json(problem, report).dump(2));
    else fmt::print("{}", to_text(problem, report));
    if (report.state == State::interrupted && db)
        fmt::print(stderr, "stopped; to go on: emulsion explore resume --db {} --run {}\n", db->path(), run);
    return exit_status(report.state);
}

int run(const Options &o) {
    const auto problem = o.words.problem();
    const SearchOptions options = o.search.options();
    if (o.db.empty()) return search_and_report(*problem, options, nullptr, 0, o);
    Database db(o.db);
    db.describe(*problem);
    nlohmann::json stored = nlohmann::json::parse(options.text());
    stored["words"] = words_of(*problem);
    const int64_t id = db.begin_run(*problem, options.seed, stored.dump(), fmt::format("{}", fmt::join(options.warm_start, "\n")));
    return search_and_report(*problem, options, &db, id, o);
}

/// GENERATOR param=value --shape b=e,e --target t, as words_of wrote it.
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

int resume(const Options &o) {
    Database db(o.db);
    const StoredRun stored = db.run(o.run);
    SearchOptions options = SearchOptions::from_text(stored.options);
    options.jobs = o.search.jobs;
    const auto problem = problem_of(nlohmann::json::parse(stored.options).value("words", ""));
    return search_and_report(*problem, options, &db, stored.id, o);
}

int status(const Options &o) {
    const Database db(o.db);
    auto list = nlohmann::ordered_json::array();
    for (const StoredRun &r : db.runs()) {
        const auto summary = r.summary.empty() ? nlohmann::ordered_json::object() : nlohmann::ordered_json::parse(r.summary);
        list.push_back({{"run", r.id}, {"started", r.started}, {"state", r.state}, {"seed", r.seed}, {"options", nlohmann::ordered_json::parse(r.options)}, {"result", summary}});
        if (o.json) continue;
        fmt::print("run {}  {}  {}\n  {}\n", r.id, r.started, r.state, nlohmann::json::parse(r.options).value("words", ""));
        if (summary.contains("best"))
            fmt::print("  best {:.0f}   search gap {:.2f} %   roofline gap {:.2f} %   {}\n", summary["best"]["score"].get<double>(), 100 * summary["search_gap"].get<double>(),
                       100 * summary["roofline_gap"].get<double>(), summary["best"]["schedule"].get<std::string>());
    }
    if (o.json) fmt::print("{}\n", list.dump(2));
    else fmt::print("{} results\n", db.size());
    return 0;
}

void add_database(CLI::App &app, std::string &db, bool required) {
    CLI::Option *option = app.add_option("--db", db, "database file; results are kept in it and found again");
    if (required) option->required();
}

}  // namespace

Action run_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    o->words.add_to(app);
    o->search.add_to(app);
    add_database(app, o->db, false);
    app.add_flag("--json", o->json, "print JSON");
    app.add_flag("--no-progress", o->no_progress, "no progress line");
    return [o] { return run(*o); };
}

Action resume_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    add_database(app, o->db, true);
    app.add_option("--run", o->run, "number of the run; default: the last one");
    app.add_option("--jobs", o->search.jobs, "threads")->check(CLI::PositiveNumber);
    app.add_flag("--json", o->json, "print JSON");
    app.add_flag("--no-progress", o->no_progress, "no progress line");
    return [o] { return resume(*o); };
}

Action status_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    add_database(app, o->db, true);
    app.add_flag("--json", o->json, "print JSON");
    return [o] { return status(*o); };
}

}  // namespace emulsion::explore
