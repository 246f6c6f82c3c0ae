// Runs the mutants of a program and asks the verifier about each.
#pragma once
#include "runtime/isa/target_desc.h"
#include "tests/npu_backend/verify/hand_programs.h"

#include <map>
#include <optional>
#include <string>

namespace emulsion::test {

struct Tally {
    int harmful = 0;  ///< result differs or the run fails, in some interleaving
    int refused = 0;  ///< of those
    int harmless_accepted = 0;
    int harmless_refused = 0;  ///< no tried interleaving showed the damage
};

struct MutationReport {
    std::map<std::string_view, Tally> by_kind;
    std::vector<std::string> escaped;  ///< harmful mutants that the verifier accepted

    Tally total() const;
    std::string table() const;
};

/// Result bytes of every output, or nothing when the interpreter reports an error.
/// The interleaving is `seed`'s; inputs are the same for every call.
std::optional<std::vector<std::vector<uint8_t>>> execute(const HandProgram &subject, const TargetDesc &target,
                                                         uint64_t seed);

/// True when verify() signs the program for the subject's sizes and arguments.
bool accepted(const HandProgram &subject, const TargetDesc &target);

/// Adds all mutants of `subject`, which must itself be accepted and run.
void try_mutants(const HandProgram &subject, const TargetDesc &target, MutationReport &report);

}  // namespace emulsion::test
