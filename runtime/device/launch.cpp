#include "runtime/device/launch.h"

#include "runtime/diag/diag.h"
#include "runtime/program/program_hash.h"

namespace emulsion {

namespace {

/// Whether the program's own certificate covers a run with `arguments`. A proof of a program without symbols covers all.
bool covered(const Program &program, const TargetDesc &target, const std::vector<int64_t> &arguments) {
    const Certificate &c = program.certificate;
    if (c.checker_version == 0) return false;
    if (c.machine_hash != target.hash) raise(Diag::certificate_stale, {}, program.name, "machine");
    return c.arguments == arguments;
}

bool prove(const Program &program, const TargetDesc &target, const Binding &binding, const LaunchOptions &options) {
    if (covered(program, target, binding.arguments)) return true;
    if (options.verifier) {
        options.verifier(program, target, binding);
        return true;
    }
    if (program.arguments.empty()) raise(Diag::program_unverified, {}, program.name);
    return false;
}

}  // namespace

void check_certificate(const Program &program) {
    const Certificate &c = program.certificate;
    if (c.checker_version != 0 && c.program_hash != program_hash(program))
        raise(Diag::certificate_stale, {}, program.name, "program");
}

LaunchResult launch(const Program &program, const TargetDesc &target, const Binding &binding,
                    const LaunchOptions &options) {
    LaunchResult result;
    result.proven = prove(program, target, binding, options);
    InterpreterOptions interpreter = options.interpreter;
    interpreter.sanitize |= !result.proven;
    interpret(program, target, binding.regions, binding.arguments, interpreter);
    if (options.timing) result.timing = simulate(program, target, binding.arguments, *options.timing);
    return result;
}

}  // namespace emulsion
