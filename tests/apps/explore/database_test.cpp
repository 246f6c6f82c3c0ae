#include "apps/explore/db/database.h"
#include "apps/explore/db/jsonl.h"
#include "apps/explore/search/search.h"
#include "tests/apps/explore/cases.h"
#include "tests/runtime/raises.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace emulsion::explore {
namespace {

class DatabaseFile : public testing::Test {
protected:
    std::string path(const std::string &name) const { return (folder_ / name).string(); }

private:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "explore.XXXXXX").string();
        ASSERT_TRUE(mkdtemp(pattern.data()));
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path folder_;
};

StoredResult row(const std::string &schedule, Status status, uint64_t cycles, uint64_t limit = UINT64_MAX) {
    Outcome o;
    o.status = status, o.cycles = cycles, o.limit = limit, o.energy_pj = 1.5, o.program = "p";
    return {"problem", "machine", "build", "space", schedule, o};
}

std::string lines(const Database &db) {
    std::ostringstream out;
    write_jsonl(db, out);
    return out.str();
}

TEST_F(DatabaseFile, FirstResultIsKeptAndCutBecomesExact) {
    Database db(path("a"));
    EXPECT_TRUE(db.insert(row("x", Status::cut, 101, 100)));
    EXPECT_FALSE(db.insert(row("x", Status::cut, 51, 50)));
    EXPECT_TRUE(db.insert(row("x", Status::exact, 120)));
    EXPECT_FALSE(db.insert(row("x", Status::exact, 7)));
    EXPECT_NE(lines(db).find("\"cycles\":120"), std::string::npos);
}

TEST_F(DatabaseFile, MergeIsSetUnion) {
    {
        Database a(path("a")), b(path("b"));
        a.insert(row("x", Status::exact, 1)), a.insert(row("y", Status::exact, 2));
        b.insert(row("y", Status::exact, 2)), b.insert(row("z", Status::exact, 3));
    }
    Database a(path("a"));
    EXPECT_EQ(a.merge(path("b")), 1u);
    EXPECT_EQ(a.merge(path("b")), 0u);
    EXPECT_EQ(a.size(), 3u);
    Database b(path("b"));
    b.merge(path("a"));
    EXPECT_EQ(lines(a), lines(b));
}

TEST_F(DatabaseFile, JsonlRoundTrip) {
    Database a(path("a")), b(path("b"));
    a.insert(row("x \"quoted\"", Status::exact, 1)), a.insert(row("y", Status::cut, 6, 5)), a.insert(row("z", Status::misfit, 0));
    std::istringstream in(lines(a));
    EXPECT_EQ(read_jsonl(b, in, "lines"), 3u);
    EXPECT_EQ(lines(a), lines(b));
    std::istringstream broken(lines(a) + "{\"problem\": 3}\n");
    EXPECT_NE(error_of([&] { read_jsonl(b, broken, "lines"); }).find("EM814"), std::string::npos);  // jsonl_broken
}

TEST_F(DatabaseFile, DamagedOrNewerFileIsACodedError) {
    std::ofstream(path("damaged")) << "this is no database, but it is long enough to look at: " << std::string(2000, 'x');
    EXPECT_NE(error_of([&] { Database db(path("damaged")); }).find("EM810"), std::string::npos);  // database_unusable
    { Database db(path("newer")); }
    sqlite3 *raw = nullptr;
    ASSERT_EQ(sqlite3_open(path("newer").c_str(), &raw), SQLITE_OK);
    sqlite3_exec(raw, "pragma user_version=99", nullptr, nullptr, nullptr);
    sqlite3_close(raw);
    EXPECT_NE(error_of([&] { Database db(path("newer")); }).find("EM811"), std::string::npos);  // database_version
    EXPECT_NE(error_of([&] { Database db(path("no/such/folder")); }).find("EM810"), std::string::npos);
    Database db(path("runs"));
    EXPECT_NE(error_of([&] { db.run(7); }).find("EM813"), std::string::npos);  // run_unknown
}

// A file size limit stands for the full disk: writing fails, the rows before it are there afterwards.
TEST_F(DatabaseFile, DiskFullLosesNothing) {
    const std::string file = path("full");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        Database db(file);
        db.insert(row("first", Status::exact, 1));
        const rlimit limit{100000, 100000};
        setrlimit(RLIMIT_FSIZE, &limit);
        const std::string text = error_of([&] {
            for (int k = 0; k < 5000; k++) db.insert(row("row " + std::to_string(k) + std::string(200, 'x'), Status::exact, 1));
        });
        _exit(text.find("EM812") != std::string::npos ? 0 : 1);  // database_write
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    Database db(file);
    EXPECT_GT(db.size(), 1u);
    EXPECT_NE(lines(db).find("\"first\""), std::string::npos);
}

// Would catch a database whose rows change the course of a search, and results written too late.
TEST_F(DatabaseFile, SameBestAfterKill9) {
    const auto p = problem_of(small_cases()[3]);
    SearchOptions options;
    options.round = 2;
    const SearchReport whole = search(*p, options, nullptr);
    for (int k = 0; k < 10; k++) {
        const std::string file = path("kill" + std::to_string(k));
        { Database db(file); }
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            Database db(file);
            search(*p, options, &db);
            _exit(0);
        }
        usleep(static_cast<useconds_t>(3000 + 17000 * k));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        Database db(file);
        const SearchReport resumed = search(*p, options, &db);
        EXPECT_EQ(resumed.best, whole.best);
        EXPECT_EQ(resumed.outcome, whole.outcome);
        EXPECT_EQ(resumed.timed, whole.timed);
        EXPECT_EQ(resumed.nodes, whole.nodes);
        EXPECT_EQ(resumed.emulated + resumed.hits, whole.emulated);
    }
}

TEST_F(DatabaseFile, LaterRowsChangeNothing) {
    const auto p = problem_of(small_cases()[9]);
    const SearchReport whole = search(*p, {}, nullptr);
    Database db(path("later"));
    p->space.each([&](const Point &point) { db.insert(*p, p->space.key(point), evaluate(*p, point)); });
    const SearchReport again = search(*p, {}, &db);
    EXPECT_EQ(again.emulated, 0u);
    EXPECT_EQ(again.timed, whole.timed);
    EXPECT_EQ(again.best, whole.best);
}

}  // namespace
}  // namespace emulsion::explore
