#include "apps/explore/verbs/trials.h"

#include <algorithm>

namespace emulsion::explore {
namespace {

void read_rows(const Database &db, Trials &t) {
    t.rows.clear();
    for (const StoredResult &r : db.results(*t.problem)) t.rows.push_back({r.schedule, r.outcome});
}

double score_of(const Trials &t, const Outcome &o) { return score(t.options.objective, o); }

/// Null: no row keeps the limits.
const Trial *best_row(const Trials &t) {
    const Trial *best = nullptr;
    for (const Trial &row : t.rows)
        if (!t.options.limits.broken_by(row.outcome) && (!best || score_of(t, row.outcome) < score_of(t, best->outcome))) best = &row;
    return best;
}

/// A run's certificate that is about the best row, under these limits: the tightest one; null when there is none.
std::unique_ptr<ScheduleFile> certificate_of(const Database &db, const Trials &t, const Trial &best) {
    std::unique_ptr<ScheduleFile> tightest;
    for (const StoredRun &run : db.runs()) {
        const std::string text = db.certificate(run.id);
        if (text.empty() || run.problem != t.problem->hash) continue;
        const ScheduleFile f = schedule_file_from(text, db.path());
        const bool same = f.build == build_hash() && f.target_hash == t.problem->machine_hash && f.space_hash == t.problem->space_hash && f.objective == t.options.objective &&
                          f.limits.spm_bytes == t.options.limits.spm_bytes && f.limits.cycles == t.options.limits.cycles && f.limits.energy_pj == t.options.limits.energy_pj;
        if (same && score_of(t, f.outcome) == score_of(t, best.outcome) && (!tightest || f.search_gap < tightest->search_gap)) tightest = std::make_unique<ScheduleFile>(f);
    }
    return tightest;
}

void choose_best(const Database &db, Trials &t) {
    const Trial *best = best_row(t);
    if (!best) return;
    t.best = certificate_of(db, t, *best);
    if (!t.best) t.best = std::make_unique<ScheduleFile>(schedule_file(*t.problem, t.options, point_of(*t.problem, best->key), best->outcome));
}

}  // namespace

const ScheduleFile &Trials::require_best() const {
    if (!best) raise(Diag::no_legal_schedule, {}, problem->request.generator, "no trial keeps the limits asked for");
    return *best;
}

void TrialWords::add_to(CLI::App &app) {
    words.add_to(app);
    app.get_option("generator")->required(false);
    search.add_to(app);
    app.add_option("--db", db, "database file: its rows instead of a search; when it has none, of a search kept in it");
    app.add_option("--run", run, "the problem of this run in the database, instead of GENERATOR; 0: the last one")->check(CLI::NonNegativeNumber);
}

std::unique_ptr<Problem> TrialWords::problem() const {
    if (run < 0 && words.request.words.empty()) raise(Diag::command_line, {}, "name a generator with its shapes, or a run: --db FILE --run N");
    if (run < 0) return words.problem();
    if (db.empty()) raise(Diag::command_line, {}, "--run needs --db");
    return problem_of(nlohmann::json::parse(Database(db).run(run).options).value("words", ""));
}

SearchOptions TrialWords::options() const {
    if (run < 0) return search.options();
    SearchOptions o = SearchOptions::from_text(Database(db).run(run).options);
    o.jobs = search.jobs;
    return o;
}

Trials TrialWords::trials(const std::vector<Objective> &objectives) const {
    Trials t;
    t.problem = problem(), t.options = options();
    if (t.problem->hand.empty()) throw Error(no_legal_schedule(*t.problem));
    Database store(db.empty() ? ":memory:" : db);
    read_rows(store, t);
    if (t.rows.empty()) {
        store.describe(*t.problem);
        for (const Objective objective : objectives.empty() ? std::vector{t.options.objective} : objectives) {
            SearchOptions o = t.options;
            o.objective = objective;
            const SearchReport r = explore::search(*t.problem, o, &store);
            if (objective == t.options.objective && !r.best.empty()) t.best = std::make_unique<ScheduleFile>(schedule_file(*t.problem, o, r));
        }
        read_rows(store, t);
    }
    if (!t.best) choose_best(store, t);
    return t;
}

SearchReport TrialWords::search_again(const Problem &problem, const SearchOptions &options, const SearchHooks &hooks) const {
    if (problem.hand.empty()) throw Error(no_legal_schedule(problem));
    Database store(db.empty() ? ":memory:" : db);
    store.describe(problem);
    return explore::search(problem, options, &store, hooks);
}

}  // namespace emulsion::explore
