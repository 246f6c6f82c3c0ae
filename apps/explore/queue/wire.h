// Jobs and results as JSON lines, for workers in other processes and on other machines.
//
//   worker        {"hello": 1, "problem": "…", "machine": "…", "build": "…", "space": "…", "slots": 1}       its first line
//   coordinator   {"job": 7, "schedule": "tile_c=64 …", "limit": 30002}                                        no limit: time it to the end
//   worker        {"job": 7, "problem": "…", …, "schedule": "tile_c=64 …", "status": "exact", "cycles": 29800, …}    a database row
//
// A job is a pure function of its line: it may run twice, anywhere, and the first result counts. The end of the input ends the worker.
#pragma once
#include "apps/explore/problem.h"

#include <optional>
#include <string>

namespace emulsion::explore {

struct Hello {
    std::string problem, machine, build, space;
    int slots = 1;  ///< jobs that the worker runs at a time
};

struct Job {
    uint64_t id = 0;
    std::string schedule;
    uint64_t limit = UINT64_MAX;
};

struct JobResult {
    uint64_t id = 0;
    std::string schedule;
    Outcome outcome;
};

Hello hello_of(const Problem &problem);
std::string to_line(const Hello &hello);
std::string to_line(const Job &job);
std::string to_line(const Problem &problem, const JobResult &result);

// Null: the line is none.
std::optional<Hello> hello_from(const std::string &line);
std::optional<Job> job_from(const std::string &line);
std::optional<JobResult> result_from(const std::string &line);

/// Raises EM820 when the worker is of another build, machine, space or problem.
void check_hello(const Problem &problem, const Hello &hello);

}  // namespace emulsion::explore
