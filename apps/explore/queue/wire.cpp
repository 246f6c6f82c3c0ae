#include "apps/explore/queue/wire.h"

#include "apps/explore/db/jsonl.h"
#include "runtime/diag/diag.h"

#include <nlohmann/json.hpp>

namespace emulsion::explore {
namespace {

constexpr int protocol = 1;

/// What `read` makes of the line's JSON; null when the line is no JSON or lacks a key.
template<typename T, typename F>
std::optional<T> parsed(const std::string &line, F read) {
    try {
        return read(nlohmann::json::parse(line));
    } catch (const std::exception &) {
        return {};
    }
}

}  // namespace

Hello hello_of(const Problem &p) { return {p.hash, p.machine_hash, build_hash(), p.space_hash}; }

std::string to_line(const Hello &h) {
    const nlohmann::ordered_json j = {{"hello", protocol}, {"problem", h.problem}, {"machine", h.machine}, {"build", h.build}, {"space", h.space}, {"slots", h.slots}};
    return j.dump();
}

std::string to_line(const Job &job) {
    nlohmann::ordered_json j = {{"job", job.id}, {"schedule", job.schedule}};
    if (job.limit != UINT64_MAX) j["limit"] = job.limit;
    return j.dump();
}

std::string to_line(const Problem &p, const JobResult &r) {
    nlohmann::ordered_json j = {{"job", r.id}};
    j.update(nlohmann::ordered_json::parse(to_jsonl({p.hash, p.machine_hash, build_hash(), p.space_hash, r.schedule, r.outcome})));
    return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<Hello> hello_from(const std::string &line) {
    return parsed<Hello>(line, [](const nlohmann::json &j) -> std::optional<Hello> {
        if (j.at("hello") != protocol) return {};
        return Hello{j.at("problem"), j.at("machine"), j.at("build"), j.at("space"), std::max(1, j.value("slots", 1))};
    });
}

std::optional<Job> job_from(const std::string &line) {
    return parsed<Job>(line, [](const nlohmann::json &j) { return Job{j.at("job"), j.at("schedule"), j.value("limit", UINT64_MAX)}; });
}

std::optional<JobResult> result_from(const std::string &line) {
    return parsed<JobResult>(line, [&](const nlohmann::json &j) {
        const StoredResult row = from_jsonl(line);
        return JobResult{j.at("job"), row.schedule, row.outcome};
    });
}

void check_hello(const Problem &p, const Hello &h) {
    const Hello own = hello_of(p);
    const std::tuple<const char *, const std::string &, const std::string &> fields[] = {
        {"build", h.build, own.build}, {"machine", h.machine, own.machine}, {"space", h.space, own.space}, {"problem", h.problem, own.problem}};
    for (const auto &[name, theirs, ours] : fields)
        if (theirs != ours) raise(Diag::worker_foreign, {}, std::string(name), theirs, ours);
}

}  // namespace emulsion::explore
