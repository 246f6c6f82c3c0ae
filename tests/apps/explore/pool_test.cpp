// Workers in processes of their own, good ones and bad ones. Would catch: an answer that depends on which worker gave it, a search that
// hangs or forgets a schedule when a worker dies, a lie that becomes a result.
#include "apps/explore/queue/pool.h"
#include "tests/apps/explore/cases.h"
#include "tests/runtime/raises.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>

namespace emulsion::explore {
namespace {

const Problem &problem() {
    static const auto p = problem_of(small_cases()[3]);
    return *p;
}

std::string good_worker() { return fmt::format("exec {} explore worker {}", EMULSION_COMMAND, words_of(problem())); }

/// A shell script that answers as a worker would: says hello, then `answer` for each job, with its number in $id.
std::string script(const Hello &hello, const std::string &answer) {
    static int count = 0;
    const std::string path = testing::TempDir() + fmt::format("worker{}.sh", count++);
    std::ofstream(path) << "cat <<'END'\n" << to_line(hello) << "\nEND\nwhile read -r line; do id=$(echo \"$line\" | sed 's/.*\"job\":\\([0-9]*\\).*/\\1/')\n" << answer << "\ndone\n";
    return "exec sh " + path;
}

PoolOptions options(const std::string &command, int workers) {
    PoolOptions o;
    o.command = command, o.workers = workers, o.check_one_in = 0;
    return o;
}

// The builds differ (this test is not the command), and a result of another build is no result.
TEST(Pool, WorkersOfAnotherBuildAreRefused) {
    WorkerPool pool(problem(), options(good_worker(), 1));
    EXPECT_TRUE(raises("EM820", [&] { pool.time({problem().hand}, UINT64_MAX, nullptr); }));
}

TEST(Pool, WorkersThatNeverStartAreNamed) {
    WorkerPool pool(problem(), options("exit 1", 2));
    EXPECT_TRUE(raises("EM822", [&] { pool.time({problem().hand}, UINT64_MAX, nullptr); }));
}

TEST(Pool, ScheduleThatEndsWorkersIsLeftOut) {
    std::vector<std::string> warnings;
    set_warning_sink([&](const Diagnostic &d) { warnings.push_back(d.code()); });
    WorkerPool pool(problem(), options(script(hello_of(problem()), "exit 1"), 1));
    const Outcome o = pool.time({problem().hand}, UINT64_MAX, nullptr).at(0);
    set_warning_sink(nullptr);
    EXPECT_EQ(o.status, Status::failed);
    EXPECT_EQ(warnings, std::vector<std::string>{"EM822"});
}

TEST(Pool, AnswerBelowItsBoundIsALie) {
    Outcome lie = evaluate(problem(), problem().hand);
    lie.cycles = 1;
    std::string line = to_line(problem(), {123456789, problem().space.key(problem().hand), lie});
    line.replace(line.find("123456789"), 9, "'$id'");
    WorkerPool pool(problem(), options(script(hello_of(problem()), "echo '" + line + "'"), 1));
    EXPECT_TRUE(raises("EM821", [&] { pool.time({problem().hand}, UINT64_MAX, nullptr); }));
}

TEST(Pool, SameAnswerInProcessesOneAndFourAndWithOneKilled) {
    // The command line is the one that knows its own workers.
    const auto best = [&](const std::string &words) {
        const std::string file = testing::TempDir() + "pool.json";
        const std::string command = fmt::format("{} explore run {} --json {} > {}", EMULSION_COMMAND, words_of(problem()), words, file);
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        std::ifstream in(file);
        std::string text((std::istreambuf_iterator<char>(in)), {});
        return text.substr(0, text.find("\"seconds\""));
    };
    const std::string alone = best("");
    EXPECT_NE(alone.find("proved"), std::string::npos) << alone;
    EXPECT_EQ(best("--workers 1"), alone);
    EXPECT_EQ(best("--workers 4"), alone);
    // Every worker ends after three jobs, wherever it is: the jobs in flight go to the next one.
    const std::string mortal = testing::TempDir() + "mortal.sh";
    std::ofstream(mortal) << "n=0; while [ $n -lt 3 ] && read -r line; do echo \"$line\"; n=$((n + 1)); done | " << EMULSION_COMMAND << " explore worker " << words_of(problem()) << "\n";
    EXPECT_EQ(best("--workers 2 --worker-command 'sh " + mortal + "'"), alone);
}

}  // namespace
}  // namespace emulsion::explore
