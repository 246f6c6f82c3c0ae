#include "apps/explore/queue/pool.h"

#include "runtime/diag/diag.h"
#include "runtime/isa/hash.h"

#include <algorithm>
#include <poll.h>

namespace emulsion::explore {
namespace {

constexpr int poll_ms = 100;

uint64_t key_hash(const std::string &schedule) { return hash_bytes(schedule.data(), schedule.size()); }

}  // namespace

WorkerPool::WorkerPool(const Problem &p, PoolOptions o, std::function<void(const std::vector<std::string> &)> withdraw)
    : problem_(p), options_(std::move(o)), withdraw_(std::move(withdraw)), workers_(static_cast<size_t>(std::max(1, options_.workers))) {
    for (size_t k = 0; k < workers_.size(); k++) start(static_cast<int>(k));
}

std::vector<pid_t> WorkerPool::ids() const {
    std::vector<pid_t> list;
    for (const Worker &w : workers_)
        if (w.process) list.push_back(w.process->id());
    return list;
}

void WorkerPool::start(int k) {
    Worker &w = workers_[static_cast<size_t>(k)];
    w.process = std::make_unique<LineProcess>(options_.command);
    w.slots = 0;
    w.leases.clear();
}

std::vector<Outcome> WorkerPool::time(const std::vector<Point> &points, uint64_t limit, const std::atomic<bool> *stop) {
    tasks_.clear();
    const uint64_t first = next_id_;
    for (const Point &p : points) {
        Task t;
        t.job = {next_id_++, problem_.space.key(p), limit};
        const auto share = static_cast<uint64_t>(options_.check_one_in);
        if (share && workers_.size() > 1 && key_hash(t.job.schedule) % share == 0) t.wanted = 2;
        tasks_.emplace(t.job.id, std::move(t));
    }
    const auto open = [&] { return std::any_of(tasks_.begin(), tasks_.end(), [](const auto &t) { return !t.second.done(); }); };
    while (open() && !(stop && *stop)) {
        hand_out();
        wait_and_read();
    }
    std::vector<Outcome> outcomes(points.size());
    for (size_t k = 0; k < points.size(); k++) {
        Task &t = tasks_.at(first + k);
        if (!t.done()) outcomes[k].error = stopped_text;
        else compare(t), outcomes[k] = t.answers.front().second;
    }
    return outcomes;
}

// Each worker holds as many jobs as it has slots; a job that wants two answers goes to two workers.
void WorkerPool::hand_out() {
    for (size_t k = 0; k < workers_.size(); k++) {
        Worker &w = workers_[k];
        for (auto &[id, t] : tasks_) {
            if (static_cast<int>(w.leases.size()) >= w.slots) break;
            const int under_way = static_cast<int>(t.answers.size() + t.given_to.size());
            const bool answered = std::any_of(t.answers.begin(), t.answers.end(), [&](const auto &a) { return a.first == static_cast<int>(k); });
            if (under_way >= t.wanted || answered || t.given_to.count(static_cast<int>(k))) continue;
            if (!w.process->write_line(to_line(t.job))) {
                lost(static_cast<int>(k));
                break;
            }
            w.leases[id] = Clock::now();
            t.given_to.insert(static_cast<int>(k));
        }
    }
}

void WorkerPool::wait_and_read() {
    std::vector<pollfd> fds;
    for (const Worker &w : workers_) fds.push_back({w.process->output(), POLLIN, 0});
    poll(fds.data(), fds.size(), poll_ms);
    for (size_t k = 0; k < workers_.size(); k++) {
        const auto worker = static_cast<int>(k);
        if (fds[k].revents) {
            const bool alive = workers_[k].process->read_some();
            take_lines(worker);
            if (!alive) lost(worker);
        }
        for (const auto &[id, since] : workers_[k].leases)
            if (std::chrono::duration<double>(Clock::now() - since).count() > options_.job_seconds * workers_[k].slots) {
                lost(worker);
                break;
            }
    }
}

void WorkerPool::take_lines(int k) {
    Worker &w = workers_[static_cast<size_t>(k)];
    while (const auto line = w.process->next_line()) {
        if (const auto hello = hello_from(*line)) {
            check_hello(problem_, *hello);
            w.slots = hello->slots;
            silent_deaths_ = 0;
        } else if (const auto result = result_from(*line)) {
            accept(k, *result);
        }  // anything else is chatter of what started the worker
    }
}

void WorkerPool::accept(int k, const JobResult &r) {
    Worker &w = workers_[static_cast<size_t>(k)];
    const auto it = tasks_.find(r.id);
    if (!w.leases.erase(r.id) || it == tasks_.end()) return;
    Task &t = it->second;
    t.given_to.erase(k);
    if (r.schedule != t.job.schedule) return;  // garbled: asked again
    w.answered.push_back(r.schedule);
    t.answers.emplace_back(k, r.outcome);
}

// The jobs in flight go to others. A worker that dies is replaced; a schedule that ends worker after worker is left out.
void WorkerPool::lost(int k) {
    Worker &w = workers_[static_cast<size_t>(k)];
    const std::string command = replay_command(problem_, w.leases.empty() ? problem_.space.key(problem_.hand) : tasks_.at(w.leases.begin()->first).job.schedule);
    if (w.slots == 0 && ++silent_deaths_ >= options_.most_deaths)
        raise(Diag::worker_lost, {}, problem_.space.key(problem_.hand), silent_deaths_, "start a worker by hand: " + options_.command);
    for (const auto &[id, since] : w.leases) {
        Task &t = tasks_.at(id);
        t.given_to.erase(k);
        if (++t.deaths < options_.most_deaths) continue;
        Outcome o;
        o.error = make_diagnostic(Diag::worker_lost, {}, fmt::make_format_args(t.job.schedule, t.deaths, command)).text();
        warn(Diag::worker_lost, {}, t.job.schedule, t.deaths, command);
        t.answers.assign(static_cast<size_t>(t.wanted), {-1, o});
    }
    w.process->kill_now();
    start(k);
}

// Two answers must be one; an answer that beats its bound is looked at again. The judge is this process.
void WorkerPool::compare(Task &t) {
    const auto &[worker, said] = t.answers.front();
    if (worker < 0) return;
    const Point point = problem_.space.point(t.job.schedule);
    const bool timed = said.status == Status::exact || said.status == Status::cut;
    bool suspect = timed && said.cycles < problem_.bound->complete(point).cycles;
    for (const auto &[other, words] : t.answers) suspect = suspect || !(words == said);
    if (!suspect) return;
    const Outcome truth = evaluate(problem_, point, t.job.limit);
    for (const auto &[other, words] : t.answers)
        if (!(words == truth)) lied(other, t, words, truth);
}

void WorkerPool::lied(int k, const Task &t, const Outcome &said, const Outcome &truth) {
    if (withdraw_) withdraw_(workers_[static_cast<size_t>(k)].answered);
    raise(Diag::worker_lies, {}, t.job.schedule, said.cycles, truth.cycles);
}

Timer pool_timer(WorkerPool &pool, const std::atomic<bool> *stop) {
    return [&pool, stop](const std::vector<Point> &points, uint64_t limit) { return pool.time(points, limit, stop); };
}

}  // namespace emulsion::explore
