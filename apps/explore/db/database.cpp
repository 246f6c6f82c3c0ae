#include "apps/explore/db/database.h"

#include "runtime/diag/diag.h"

#include <chrono>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

namespace emulsion::explore {
namespace {

constexpr int version = 1;

constexpr const char *schema = R"(
create table if not exists problem(hash text primary key, generator text, params text, shapes text);
create table if not exists machine(hash text primary key, name text, text text);
create table if not exists build(hash text primary key);
create table if not exists space(hash text primary key, name text, version integer, text text);
create table if not exists run(id integer primary key, seed integer, problem text, options text, warm_start text, started text, state text, summary text);
create table if not exists result(problem text, machine text, build text, space text, schedule text, status integer, cycles integer, cut_limit integer,
    energy real, spm integer, ext_bytes integer, program text, error text, ms real, primary key(problem, machine, build, space, schedule)) without rowid;
create table if not exists certificate(run integer primary key, json text);
create table if not exists model(hash text primary key, bytes blob);
)";

}  // namespace

class Database::Statement {
public:
    Statement(const Database &db, const char *sql) : db_(db) {
        if (sqlite3_prepare_v2(db.db_, sql, -1, &s_, nullptr) != SQLITE_OK) db.fail(false);
    }
    ~Statement() { sqlite3_finalize(s_); }
    Statement(const Statement &) = delete;

    template<typename... Args>
    Statement &bind(const Args &...args) {
        int k = 1;
        (put(k++, args), ...);
        return *this;
    }
    bool step(bool writing = false) {
        const int rc = sqlite3_step(s_);
        if (rc == SQLITE_ROW) return true;
        if (rc != SQLITE_DONE) db_.fail(writing);
        return false;
    }
    int64_t number(int k) const { return sqlite3_column_int64(s_, k); }
    double real(int k) const { return sqlite3_column_double(s_, k); }
    std::string text(int k) const {
        const auto *t = reinterpret_cast<const char *>(sqlite3_column_text(s_, k));
        return t ? std::string(t, static_cast<size_t>(sqlite3_column_bytes(s_, k))) : std::string();
    }

private:
    void put(int k, const std::string &v) { sqlite3_bind_text(s_, k, v.data(), static_cast<int>(v.size()), SQLITE_TRANSIENT); }
    void put(int k, const char *v) { put(k, std::string(v)); }
    void put(int k, double v) { sqlite3_bind_double(s_, k, v); }
    void put(int k, int64_t v) { sqlite3_bind_int64(s_, k, v); }
    void put(int k, uint64_t v) { put(k, static_cast<int64_t>(v)); }
    void put(int k, int v) { put(k, static_cast<int64_t>(v)); }

    const Database &db_;
    sqlite3_stmt *s_ = nullptr;
};

void Database::fail(bool writing) const {
    const int code = sqlite3_errcode(db_);
    const std::string text = sqlite3_errmsg(db_);
    const bool storage = code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_READONLY || code == SQLITE_BUSY || code == SQLITE_CANTOPEN;
    raise(writing && storage ? Diag::database_write : Diag::database_unusable, {}, path_, text);
}

void Database::run_sql(const char *sql) const {
    if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(true);
}

Database::Database(const std::string &path) : path_(path) {
    if (sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr) != SQLITE_OK) {
        const std::string text = db_ ? sqlite3_errmsg(db_) : "no memory";
        sqlite3_close(db_);
        raise(Diag::database_unusable, {}, path, text);
    }
    try {
        sqlite3_busy_timeout(db_, 10000);
        int64_t found = 0;
        {
            Statement s(*this, "pragma user_version");
            if (s.step()) found = s.number(0);
        }
        if (found > version) raise(Diag::database_version, {}, path_, found, version);
        {
            Statement check(*this, "select count(*) from sqlite_master");
            const bool foreign = check.step() && check.number(0) > 0 && found == 0;
            if (foreign) raise(Diag::database_unusable, {}, path_, std::string("it holds other tables"));
        }
        run_sql("pragma journal_mode=wal");
        run_sql("pragma synchronous=normal");
        run_sql(schema);
        run_sql(fmt::format("pragma user_version={}", version).c_str());
    } catch (...) {
        sqlite3_close(db_);
        throw;
    }
}

Database::~Database() { sqlite3_close(db_); }

void Database::describe(const Problem &p) {
    std::string params, shapes;
    for (const auto &[name, value] : p.request.params) params += fmt::format("{}={} ", name, value);
    for (const auto &[name, extents] : p.request.shapes) shapes += fmt::format("{}={} ", name, fmt::join(extents, ","));
    Statement(*this, "insert or ignore into problem values(?,?,?,?)").bind(p.hash, p.request.generator, params, shapes).step(true);
    Statement(*this, "insert or ignore into machine values(?,?,?)").bind(p.machine_hash, p.target.name, p.target.text).step(true);
    Statement(*this, "insert or ignore into build values(?)").bind(build_hash()).step(true);
    Statement(*this, "insert or ignore into space values(?,?,?,?)").bind(p.space_hash, p.space.name(), p.space.version(), p.space.text()).step(true);
}

namespace {

template<typename S>
Outcome outcome_of(const S &s, int k) {
    Outcome o;
    o.status = static_cast<Status>(std::min<int64_t>(3, std::max<int64_t>(0, s.number(k))));
    o.cycles = static_cast<uint64_t>(s.number(k + 1));
    o.limit = static_cast<uint64_t>(s.number(k + 2));
    o.energy_pj = s.real(k + 3);
    o.spm_bytes = static_cast<uint64_t>(s.number(k + 4));
    o.ext_bytes = static_cast<uint64_t>(s.number(k + 5));
    o.program = s.text(k + 6);
    o.error = s.text(k + 7);
    o.milliseconds = s.real(k + 8);
    return o;
}

constexpr const char *outcome_columns = "status, cycles, cut_limit, energy, spm, ext_bytes, program, error, ms";

}  // namespace

std::optional<Outcome> Database::find(const Problem &p, const std::string &schedule, uint64_t limit) const {
    Statement s(*this, fmt::format("select {} from result where problem=? and machine=? and build=? and space=? and schedule=?", outcome_columns).c_str());
    s.bind(p.hash, p.machine_hash, build_hash(), p.space_hash, schedule);
    if (!s.step()) return {};
    Outcome o = outcome_of(s, 0);
    if (o.status == Status::cut && o.limit < limit) return {};
    return o;
}

bool Database::insert(const Problem &p, const std::string &schedule, const Outcome &o) {
    return insert({p.hash, p.machine_hash, build_hash(), p.space_hash, schedule, o});
}

bool Database::insert(const StoredResult &r) {
    const Outcome &o = r.outcome;
    Statement(*this, "insert into result values(?,?,?,?,?,?,?,?,?,?,?,?,?,?) on conflict do update set status=excluded.status, cycles=excluded.cycles,"
                     " cut_limit=excluded.cut_limit, energy=excluded.energy, spm=excluded.spm, ext_bytes=excluded.ext_bytes, program=excluded.program,"
                     " error=excluded.error, ms=excluded.ms where result.status=1 and (excluded.status!=1 or excluded.cut_limit>result.cut_limit)")
        .bind(r.problem, r.machine, r.build, r.space, r.schedule, static_cast<int>(o.status), o.cycles, o.limit, o.energy_pj, o.spm_bytes, o.ext_bytes,
              o.program, o.error, o.milliseconds)
        .step(true);
    return sqlite3_changes(db_) > 0;
}

int64_t Database::begin_run(const Problem &p, uint64_t seed, const std::string &options, const std::string &warm_start) {
    const std::time_t now = std::time(nullptr);
    Statement(*this, "insert into run(seed, problem, options, warm_start, started, state, summary) values(?,?,?,?,?,'running','')")
        .bind(seed, p.hash, options, warm_start, fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)))
        .step(true);
    return sqlite3_last_insert_rowid(db_);
}

void Database::end_run(int64_t run, const std::string &state, const std::string &summary) {
    Statement(*this, "update run set state=?, summary=? where id=?").bind(state, summary, run).step(true);
}

std::vector<StoredRun> Database::runs() const {
    std::vector<StoredRun> list;
    Statement s(*this, "select id, seed, problem, options, warm_start, started, state, summary from run order by id");
    while (s.step()) list.push_back({s.number(0), static_cast<uint64_t>(s.number(1)), s.text(2), s.text(3), s.text(4), s.text(5), s.text(6), s.text(7)});
    return list;
}

StoredRun Database::run(int64_t id) const {
    const std::vector<StoredRun> list = runs();
    for (const StoredRun &r : list)
        if (r.id == id || (id == 0 && &r == &list.back())) return r;
    raise(Diag::run_unknown, {}, id == 0 ? std::string("at all") : std::to_string(id));
}

void Database::store_certificate(int64_t run, const std::string &json) {
    Statement(*this, "insert or replace into certificate values(?,?)").bind(run, json).step(true);
}

std::string Database::certificate(int64_t run) const {
    Statement s(*this, "select json from certificate where run=?");
    s.bind(run);
    return s.step() ? s.text(0) : std::string();
}

void Database::store_model(const std::string &hash, const std::string &bytes) {
    Statement(*this, "insert or ignore into model values(?,?)").bind(hash, bytes).step(true);
}

std::vector<StoredResult> Database::results(const Problem &p) const {
    std::vector<StoredResult> list;
    Statement s(*this, fmt::format("select schedule, {} from result where problem=? and machine=? and build=? and space=? and status=0 order by cycles, schedule", outcome_columns).c_str());
    s.bind(p.hash, p.machine_hash, build_hash(), p.space_hash);
    while (s.step()) list.push_back({p.hash, p.machine_hash, build_hash(), p.space_hash, s.text(0), outcome_of(s, 1)});
    return list;
}

void Database::each(const std::function<void(const StoredResult &)> &f) const {
    Statement s(*this, fmt::format("select problem, machine, build, space, schedule, {} from result order by problem, machine, build, space, schedule", outcome_columns).c_str());
    while (s.step()) f({s.text(0), s.text(1), s.text(2), s.text(3), s.text(4), outcome_of(s, 5)});
}

uint64_t Database::merge(const std::string &path) {
    const Database other(path);
    uint64_t added = 0;
    run_sql("begin");
    try {
        other.each([&](const StoredResult &r) { added += insert(r); });
        for (const auto &[table, columns] : {std::pair("problem", 4), std::pair("machine", 3), std::pair("build", 1), std::pair("space", 4)}) {
            Statement from(other, fmt::format("select * from {}", table).c_str());
            while (from.step()) {
                std::string marks = "?";
                for (int k = 1; k < columns; k++) marks += ",?";
                Statement to(*this, fmt::format("insert or ignore into {} values({})", table, marks).c_str());
                if (columns == 1) to.bind(from.text(0));
                if (columns == 3) to.bind(from.text(0), from.text(1), from.text(2));
                if (columns == 4) to.bind(from.text(0), from.text(1), from.text(2), from.text(3));
                to.step(true);
            }
        }
        run_sql("commit");
    } catch (...) {
        sqlite3_exec(db_, "rollback", nullptr, nullptr, nullptr);
        throw;
    }
    return added;
}

uint64_t Database::size() const {
    Statement s(*this, "select count(*) from result");
    return s.step() ? static_cast<uint64_t>(s.number(0)) : 0;
}

}  // namespace emulsion::explore
