// What is explored: a generator with fixed shapes on a machine, its space, and what one schedule gave.
#pragma once
#include "apps/explore/bound/bound.h"
#include "dsl/space.h"
#include "npu_backend/compile.h"

#include <memory>

namespace emulsion::explore {

struct Problem {
    CompileRequest request;  ///< without schedule parameters
    TargetDesc target;
    ScheduleSpace space{"", 0};
    Point hand;  ///< the generator's own schedule, or the one asked for, rounded to a legal point; empty: none is legal
    std::unique_ptr<BoundModel> bound;

    std::string hash;        ///< of generator, parameters and shapes
    std::string space_hash;  ///< of the space's text
    std::string machine_hash;

    CompileRequest at(const Point &point) const;
    /// "conv2d 56x56x64->64": short text for people.
    std::string title() const;
};

/// `request` may hold schedule parameters: they become the first schedule tried. Raises EM800 for a generator without a declared
/// space, EM801 when shapes are missing.
std::unique_ptr<Problem> make_problem(CompileRequest request, TargetDesc target);

/// The command words that name the problem: GENERATOR param=value --shape b=e,e --target t.
std::string words_of(const Problem &problem);

/// The command that times one schedule again.
std::string replay_command(const Problem &problem, const std::string &key);

/// Hash of this build: a result is reused only by the build that made it.
std::string build_hash();

enum class Status : uint8_t { exact, cut, misfit, failed };
constexpr const char *status_names[] = {"exact", "cut", "misfit", "failed"};

struct Outcome {
    Status status = Status::failed;
    uint64_t cycles = 0;  ///< cut: more than `limit`
    uint64_t limit = UINT64_MAX;
    double energy_pj = 0;
    uint64_t spm_bytes = 0, ext_bytes = 0;
    std::string program;  ///< hash of the instructions, without names
    std::string error;    ///< failed, misfit: the diagnostic
    double milliseconds = 0;

    bool operator==(const Outcome &o) const {
        return status == o.status && cycles == o.cycles && limit == o.limit && energy_pj == o.energy_pj && spm_bytes == o.spm_bytes &&
               ext_bytes == o.ext_bytes && program == o.program;
    }
};

/// Compiles and times one schedule. Stops timing past `limit` cycles. A schedule that does not compile is an outcome, not an error.
Outcome evaluate(const Problem &problem, const Point &point, uint64_t limit = UINT64_MAX);

/// Raises EM802 with the command that repeats it when the outcome is below the bound.
void check_bound(const Problem &problem, const Point &point, const Bound &bound, const Outcome &outcome);

}  // namespace emulsion::explore
