// Workers in processes of their own: local ones, or whatever a command starts (ssh, srun, the Ray launcher), as long as it speaks the lines
// of wire.h. At least once, first result wins: the answer does not depend on which worker did what, on their number or on their deaths.
#pragma once
#include "apps/explore/queue/process.h"
#include "apps/explore/queue/wire.h"
#include "apps/explore/search/search.h"

#include <chrono>
#include <map>
#include <set>

namespace emulsion::explore {

struct PoolOptions {
    std::string command;       ///< starts one worker
    int workers = 1;
    double job_seconds = 120;  ///< a worker that takes longer for one job counts as dead
    int check_one_in = 100;    ///< this share of the jobs runs on two workers, which must agree; 0: none
    int most_deaths = 5;       ///< of workers on one schedule: then it is left out
};

class WorkerPool {
public:
    /// `withdraw` is told of the schedules whose results came from a worker that lied, before EM821 is raised.
    WorkerPool(const Problem &problem, PoolOptions options, std::function<void(const std::vector<std::string> &)> withdraw = {});

    /// As an in-process timer answers. Raises EM820 for a foreign worker, EM821 for one that lies, EM822 when workers cannot be kept
    /// running at all. A schedule that ended too many workers is answered as failed, with a warning EM822.
    std::vector<Outcome> time(const std::vector<Point> &points, uint64_t limit, const std::atomic<bool> *stop);

    /// Process ids of the workers alive.
    std::vector<pid_t> ids() const;

private:
    using Clock = std::chrono::steady_clock;
    struct Worker {
        std::unique_ptr<LineProcess> process;
        int slots = 0;  ///< 0: it has not said hello
        std::map<uint64_t, Clock::time_point> leases;  ///< jobs in flight, since when
        std::vector<std::string> answered;             ///< schedules whose results are its own
    };
    struct Task {
        Job job;
        int wanted = 1, deaths = 0;
        std::vector<std::pair<int, Outcome>> answers;  ///< worker, what it said
        std::set<int> given_to;
        bool done() const { return static_cast<int>(answers.size()) >= wanted; }
    };

    void start(int worker);
    void hand_out();
    void wait_and_read();
    void take_lines(int worker);
    void accept(int worker, const JobResult &result);
    void lost(int worker);
    void compare(Task &task);
    [[noreturn]] void lied(int worker, const Task &task, const Outcome &said, const Outcome &truth);

    const Problem &problem_;
    PoolOptions options_;
    std::function<void(const std::vector<std::string> &)> withdraw_;
    std::vector<Worker> workers_;
    std::map<uint64_t, Task> tasks_;  ///< of the round
    uint64_t next_id_ = 1;
    int silent_deaths_ = 0;  ///< in a row, before a hello
};

/// The timer of a search: all rounds go to `pool`.
Timer pool_timer(WorkerPool &pool, const std::atomic<bool> *stop);

}  // namespace emulsion::explore
