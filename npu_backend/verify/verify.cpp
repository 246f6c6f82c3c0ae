#include "npu_backend/verify/verify.h"

#include "npu_backend/verify/legality.h"
#include "npu_backend/verify/memory_rules.h"
#include "npu_backend/verify/nesting.h"
#include "npu_backend/verify/queues.h"
#include "runtime/program/program_hash.h"

namespace emulsion {
namespace {

// Raised whenever a rule is added or tightened, so that certificates of an older checker do not count.
constexpr uint32_t checker_version = 1;

// Most control steps of one launch; a program that needs more counts as unbounded.
constexpr uint64_t control_budget = uint64_t{1} << 26;

void check_launch(const Program &program, std::span<const RegionExtent> regions, std::span<const int64_t> arguments) {
    if (regions.size() != program.regions.size())
        raise(Diag::verify_launch, {program.name}, "regions", program.regions.size(), regions.size());
    if (arguments.size() != program.arguments.size())
        raise(Diag::verify_launch, {program.name}, "arguments", program.arguments.size(), arguments.size());
}

// The walker's own limits, as rules of the verifier.
bool next(ControlWalker &walker, const Program &program, Dispatched &op) {
    try {
        return walker.next(op);
    } catch (const Error &e) {
        if (e.diagnostic().id == Diag::budget_spent) raise(Diag::verify_budget, {program.name}, control_budget);
        if (e.diagnostic().id == Diag::address_overflow)
            raise(Diag::verify_address_overflow, e.diagnostic().place, "any");
        throw;
    }
}

}  // namespace

Certificate verify(const Program &program, const TargetDesc &target, std::span<const RegionExtent> regions,
                   std::span<const int64_t> arguments) {
    using namespace verifier;
    check_launch(program, regions, arguments);
    check_nesting(program);
    check_legality(program, target);

    MemoryRules memory(program, target, regions);
    Queues queues(program, target.queue_depth,
                  [&](const Dispatched &op, const Access &access) { memory.start(op, access); });
    ControlWalker walker(program, arguments, control_budget);
    for (Dispatched op; next(walker, program, op);) queues.dispatch(op);
    queues.finish();
    memory.finish(arguments);
    return {program_hash(program), target.hash, checker_version, {arguments.begin(), arguments.end()}};
}

}  // namespace emulsion
