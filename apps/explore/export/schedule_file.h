// One schedule with all that is claimed of it: the parameter file that `export` writes, which is also the certificate of a run.
//
//   {"emulsion_schedule": 1, "generator": "matmul", "params": {…}, "shapes": {"a": [512, 64], …},
//    "target": {"name": "mobile", "origin": "mobile", "hash": "…", "machine": {…}}, "space": {"name": "matmul", "version": 1, "hash": "…"},
//    "schedule": {"key": "b_at=k tile_n=64 …", "params": {"b_at": "k", …}},
//    "result": {"cycles": 30002, "energy_pj": …, …}, "bound": {"cycles": 29100, …},
//    "proof": {"state": "proved", "objective": "cycles", "smallest_open": 30002, "search_gap": 0, …}, "versions": {…}, …, "seal": "…"}
//
// cmake/EmulsionHelpers.cmake reads generator, params, shapes, target and schedule. The seal is the hash of the rest: a slip of an
// editor is found even in a field that nothing else depends on. It is no signature.
#pragma once
#include "apps/explore/search/proof.h"

#include <nlohmann/json.hpp>

namespace emulsion::explore {

struct ScheduleFile {
    CompileRequest request;  ///< without schedule parameters
    std::string target_name, target_origin, target_hash, target_text;
    std::string space_name, space_hash, problem_hash, build;
    int space_version = 0;
    std::string key;
    std::map<std::string, std::string> schedule;
    Outcome outcome;
    Bound bound;  ///< of this schedule
    State state = State::budget_ended;
    Objective objective = Objective::cycles;
    Limits limits;
    double smallest_open = 0, search_gap = 1, roofline_gap = 0;  ///< smallest_open: by the objective
    uint64_t roofline_cycles = 0;
    nlohmann::ordered_json search;  ///< options, counts and model of the run, as a record
    std::string command;            ///< that made it
    bool sealed = true;             ///< read from text: the seal fits
};

/// What `report` found, and proved; its best schedule must exist.
ScheduleFile schedule_file(const Problem &problem, const SearchOptions &options, const SearchReport &report);
/// The claim for one schedule when no search stands behind it: nothing is below the bound of the whole space.
ScheduleFile schedule_file(const Problem &problem, const SearchOptions &options, const Point &point, const Outcome &outcome);

nlohmann::ordered_json to_json(const ScheduleFile &file);
/// Raises EM825 for text that is none.
ScheduleFile schedule_file_from(const std::string &text, const std::string &name);

/// The problem that the file is about, on `target`. Raises EM826 when the machine or the generator's space has changed since.
std::unique_ptr<Problem> problem_of(const ScheduleFile &file, TargetDesc target);

/// Holds every figure of the file against what this build finds. Raises EM825 for one that does not hold; EM826 when the file is of
/// another build, which may well find others. With `proof` the whole space is looked at again.
ProofCheck check(const ScheduleFile &file, const Problem &problem, bool proof);

/// A C++ header with generator, target and parameters as constants, in namespace emulsion::schedules::`name`.
std::string cpp_header(const ScheduleFile &file, const std::string &name);

}  // namespace emulsion::explore
