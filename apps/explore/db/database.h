// The explorer's database: SQLite in WAL mode, one writer. A row is written once, as its schedule is timed; `cut` may become
// `exact`. Results are looked up by problem, machine, build, space and schedule, so nothing is timed twice and nothing that
// another build or machine said is believed.
#pragma once
#include "apps/explore/problem.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace emulsion::explore {

struct StoredResult {
    std::string problem, machine, build, space, schedule;
    Outcome outcome;
};

struct StoredRun {
    int64_t id = 0;
    uint64_t seed = 0;
    std::string problem, options, warm_start, started, state, summary;
};

class Database {
public:
    /// Opens or creates. ":memory:" is one that is lost at the end. Raises EM810, EM811.
    explicit Database(const std::string &path);
    ~Database();
    Database(const Database &) = delete;

    const std::string &path() const { return path_; }

    /// Rows that say what the hashes mean. Raises EM812 as all writers do.
    void describe(const Problem &problem);
    /// Null: not timed yet, or only cut at a limit below `limit`.
    std::optional<Outcome> find(const Problem &problem, const std::string &schedule, uint64_t limit) const;
    /// Keeps the first result of a schedule; an exact one takes the place of a cut one, a cut one that of a shorter cut. True: it
    /// was kept.
    bool insert(const Problem &problem, const std::string &schedule, const Outcome &outcome);
    bool insert(const StoredResult &row);

    int64_t begin_run(const Problem &problem, uint64_t seed, const std::string &options, const std::string &warm_start);
    void end_run(int64_t run, const std::string &state, const std::string &summary);
    std::vector<StoredRun> runs() const;
    StoredRun run(int64_t id) const;  ///< 0: the last one. Raises EM813.
    void store_certificate(int64_t run, const std::string &json);
    std::string certificate(int64_t run) const;
    void store_model(const std::string &hash, const std::string &bytes);

    /// Exact results of a problem on its machine and space by this build, best cycles first.
    std::vector<StoredResult> results(const Problem &problem) const;
    /// Every result row, in the order of its key.
    void each(const std::function<void(const StoredResult &)> &f) const;
    /// Rows of another database that this one lacks: a set union. Returns how many.
    uint64_t merge(const std::string &path);
    uint64_t size() const;

private:
    class Statement;
    void run_sql(const char *sql) const;
    [[noreturn]] void fail(bool writing) const;

    std::string path_;
    sqlite3 *db_ = nullptr;
};

}  // namespace emulsion::explore
