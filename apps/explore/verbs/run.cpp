// emulsion explore run, resume, status
#include "apps/explore/export/schedule_file.h"
#include "apps/explore/queue/pool.h"
#include "apps/explore/verbs/verbs.h"
#include "apps/explore/verbs/words.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
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
    int workers = 0;
    std::string worker_command;
    bool json = false, no_progress = false, quiet = false;
};

/// This program as a worker for the problem.
std::string own_worker(const Problem &p) { return fmt::format("exec '{}' explore worker {}", std::filesystem::read_symlink("/proc/self/exe").string(), words_of(p)); }

int search_and_report(const Problem &problem, const SearchOptions &options, Database *db, int64_t run, const Options &o) {
    if (problem.hand.empty()) {
        fmt::print(stderr, "{}\n", no_legal_schedule(problem).text());
        return exit_status(State::none_legal);
    }
    stop_asked = false;
    std::signal(SIGINT, ask_stop);
    std::signal(SIGTERM, ask_stop);
    ProgressLine line(problem, !o.no_progress && !o.json);
    SearchHooks hooks;
    hooks.stop = &stop_asked;
    std::optional<WorkerPool> pool;
    if (o.workers > 0) {
        PoolOptions workers;
        workers.workers = o.workers;
        workers.command = o.worker_command.empty() ? own_worker(problem) : o.worker_command;
        hooks.timer = pool_timer(pool.emplace(problem, workers), &stop_asked);
    }
    hooks.progress = [&](const Progress &p) { line.show(p); };
    const SearchReport report = search(problem, options, db, hooks);
    if (db) {
        db->end_run(run, state_names[static_cast<int>(report.state)], to_json(problem, report).dump());
        if (options.driver == Driver::certified && !report.best.empty()) db->store_certificate(run, to_json(schedule_file(problem, options, report)).dump(2));
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

void add_workers(CLI::App &app, Options &o) {
    app.add_option("--workers", o.workers, "time schedules in this many worker processes")->check(CLI::NonNegativeNumber);
    app.add_option("--worker-command", o.worker_command, "what starts one worker (ssh, srun ...); default: this program, here");
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
    add_workers(app, *o);
    app.add_flag("--json", o->json, "print JSON");
    app.add_flag("--no-progress", o->no_progress, "no progress line");
    return [o] { return run(*o); };
}

Action resume_verb(CLI::App &app) {
    auto o = std::make_shared<Options>();
    add_database(app, o->db, true);
    add_workers(app, *o);
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
