#include "apps/explore/queue/worker.h"

#include <istream>
#include <ostream>

namespace emulsion::explore {
namespace {

Outcome answer(const Problem &problem, const Job &job) {
    const Point point = problem.space.point(job.schedule);
    if (!point.empty()) return evaluate(problem, point, job.limit);
    Outcome o;
    o.error = "no schedule of this space";
    return o;
}

}  // namespace

int serve(const Problem &problem, std::istream &in, std::ostream &out) {
    out << to_line(hello_of(problem)) << std::endl;
    int others = 0;
    for (std::string line; std::getline(in, line);) {
        const auto job = job_from(line);
        if (job) out << to_line(problem, {job->id, job->schedule, answer(problem, *job)}) << std::endl;
        else others += !line.empty();
    }
    return others;
}

}  // namespace emulsion::explore
